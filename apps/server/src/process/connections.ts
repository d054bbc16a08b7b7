import type { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { Problem } from "@purser/core";
import { endSocketWithProblem, isClosing } from "./last-response.ts";

/** A request that is being received or answered. */
export interface OpenRequest {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
}

/** What a connection has open. */
interface Connection {
  /** Undefined once it is closed or refused. */
  socket: Socket | undefined;
  /** The requests in their own order, which is also the order of the responses. */
  requests: OpenRequest[];
  /** Whether it has not sent a complete head yet. */
  isSilent: boolean;
  /** When its last request ended, as a number that grows. Undefined during a request, and before the first. */
  idleSince: number | undefined;
  newest: IncomingMessage | undefined;
  /** Begins the responses of the last of them, in order. They wait for the ones before. */
  waiting: (() => void)[];
  /** Whether reading has stopped. */
  isHeld: boolean;
}

interface Limits {
  maximum: number;
  /** Called for each connection that is refused or closed for another one. */
  onRefusal: (reason: "connections" | "replaced") => void;
}

/**
 * The open connections of a server, with the requests that each of them has open. If there are too many, a new one
 * replaces the connection that matters least, so clients that hold connections without using them exclude no others.
 */
export class Connections {
  readonly #open = new Map<Socket, Connection>();
  /** Connections that have not sent a complete head yet, the oldest first. */
  readonly #silent = new Set<Socket>();
  /**
   * Kept-alive connections without a request, the longest idle last, as they were when one had to be closed. A list that is
   * always right would cost each request more than the rest of this class.
   */
  #idle: (readonly [connection: Connection, since: number])[] = [];
  #ended = 0;
  /** Connections that are no longer counted, and still receive why. */
  readonly #refused = new Set<Socket>();
  readonly #limits: Limits;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  get sockets(): Iterable<Socket> & { size: number } {
    return { size: this.#open.size, [Symbol.iterator]: () => this.#open.keys() };
  }

  /** Accepts a new connection, or refuses it with 503. */
  add(socket: Socket): void {
    if (this.#open.size >= this.#limits.maximum && !this.#makeRoom()) {
      this.#limits.onRefusal("connections");
      return this.#refuse(socket);
    }
    const connection: Connection = {
      socket,
      requests: [],
      isSilent: true,
      idleSince: undefined,
      newest: undefined,
      waiting: [],
      isHeld: false,
    };
    this.#open.set(socket, connection);
    this.#silent.add(socket);
    socket.once("close", () => this.#forget(socket));
    // Node calls it at the end of each request, to read the next one.
    socket.resume = () => {
      connection.isHeld = isFull(connection) && !isClosing(socket);
      if (connection.isHeld) stopReading(socket);
      else Socket.prototype.resume.call(socket);
      return socket;
    };
    // An earlier call may take effect only now.
    socket.on("resume", () => {
      if (connection.isHeld) stopReading(socket);
    });
  }

  /** Closes every connection immediately. */
  destroyAll(): void {
    for (const socket of [...this.#open.keys(), ...this.#refused]) socket.destroy();
  }

  /** The open requests of a connection; none of a connection that is closed. */
  requestsOf(socket: Socket): readonly OpenRequest[] {
    return [...(this.#open.get(socket)?.requests ?? [])];
  }

  /**
   * Records a request, and calls `respond` once few enough requests before it on its connection are open. Never calls it if
   * the connection was refused, or has had its last response.
   */
  begin(request: OpenRequest, respond: () => void): void {
    const { incoming } = request;
    const { socket } = incoming;
    const connection = this.#open.get(socket);
    if (connection === undefined || isClosing(socket)) {
      // It gets no response. While its body is unread, nothing after it is read either.
      incoming.resume();
      return;
    }
    if (connection.isSilent) this.#silent.delete(socket);
    connection.isSilent = false;
    connection.idleSince = undefined;
    const { requests, waiting } = connection;
    requests.push(request);
    if (requests.length > maxAhead) return void socket.destroy();
    connection.newest = incoming;
    request.outgoing.on("close", () => this.#end(request, connection));
    if (requests.length <= maxAtOnce) return respond();
    waiting.push(respond);
    // Nothing reads its body until it is its turn.
    connection.isHeld = true;
    stopReading(socket);
  }

  #end(request: OpenRequest, connection: Connection): void {
    const { requests, waiting } = connection;
    const { socket } = request.incoming;
    requests.splice(requests.indexOf(request), 1);
    if (!this.#open.has(socket)) return;
    if (requests.length === 0) connection.idleSince = this.#ended += 1;
    if (isClosing(socket)) return;
    waiting.shift()?.();
    if (connection.isHeld) socket.resume();
  }

  /** Closes the connection that matters least. Returns false if every connection has a complete request open. */
  #makeRoom(): boolean {
    const socket = first(this.#silent) ?? this.#longestIdle() ?? this.#receiving();
    if (socket === undefined) return false;
    this.#limits.onRefusal("replaced");
    this.#forget(socket);
    // A client that has sent nothing is not waiting for an answer.
    if (socket.bytesRead === 0 || !socket.writable) socket.destroy();
    else this.#refuse(socket);
    return true;
  }

  #longestIdle(): Socket | undefined {
    return this.#nextIdle() ?? (this.#listIdle(), this.#nextIdle());
  }

  /** Returns the next of the list that is still idle. All that became idle since are idle for a shorter time. */
  #nextIdle(): Socket | undefined {
    for (let next = this.#idle.pop(); next !== undefined; next = this.#idle.pop()) {
      const [{ socket, idleSince }, since] = next;
      if (socket !== undefined && idleSince === since) return socket;
    }
    return undefined;
  }

  #listIdle(): void {
    const idle = [...this.#open.values()].flatMap((connection) =>
      connection.idleSince === undefined ? [] : [[connection, connection.idleSince] as const],
    );
    this.#idle = idle.toSorted(([, one], [, other]) => other - one);
  }

  /** Returns the oldest connection that has an incomplete body, and no response to it yet. */
  #receiving(): Socket | undefined {
    for (const [socket, { requests }] of this.#open) {
      const [request] = requests;
      if (request && !request.incoming.complete && !request.outgoing.headersSent) return socket;
    }
    return undefined;
  }

  #refuse(socket: Socket): void {
    // They linger for a second at most, but a flood brings thousands in a second.
    if (this.#refused.size >= maxLingering) return void socket.destroy();
    this.#refused.add(socket);
    socket.once("close", () => this.#refused.delete(socket));
    endSocketWithProblem(socket, overloaded);
  }

  #forget(socket: Socket): void {
    const connection = this.#open.get(socket);
    if (connection !== undefined) connection.socket = connection.newest = undefined;
    this.#open.delete(socket);
    this.#silent.delete(socket);
  }
}

/**
 * How many requests of one connection are answered at a time. Clients that send requests ahead are rare, and a connection
 * could otherwise have any number open.
 */
const maxAtOnce = 4;

/** The most requests that a connection may have open, most of them waiting. Clients that mean well send a few ahead. */
const maxAhead = 100;

/** Whether to read nothing more. The body of a request that is being answered may still be arriving. */
const isFull = ({ requests, newest }: Connection): boolean =>
  requests.length > maxAtOnce || (requests.length === maxAtOnce && newest?.complete === true);

/** What Node has read already is still parsed: up to 64 KiB. */
function stopReading(socket: Socket): void {
  socket.pause();
  // If the socket is paused but about to resume, only this event makes Node stop reading.
  socket.emit("pause");
}

const maxLingering = 200;

const overloaded = new Problem("UNAVAILABLE", {
  detail: "The service has too many connections. Try again in a moment.",
  retryAfterSeconds: 1,
});

const first = <Value>(values: Set<Value>): Value | undefined => values.values().next().value;
