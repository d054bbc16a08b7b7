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
  /** The requests in their own order, which is also the order of the responses. */
  requests: Set<OpenRequest>;
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
  /** Kept-alive connections without a request, the longest idle first. */
  readonly #idle = new Set<Socket>();
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
    const connection: Connection = { requests: new Set(), newest: undefined, waiting: [], isHeld: false };
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
    this.#silent.delete(socket);
    this.#idle.delete(socket);
    const { requests, waiting } = connection;
    requests.add(request);
    if (requests.size > maxAhead) return void socket.destroy();
    connection.newest = incoming;
    request.outgoing.once("close", () => {
      requests.delete(request);
      if (!this.#open.has(socket)) return;
      if (requests.size === 0) this.#idle.add(socket);
      if (isClosing(socket)) return;
      waiting.shift()?.();
      if (connection.isHeld) socket.resume();
    });
    if (requests.size > maxAtOnce) waiting.push(respond);
    else respond();
  }

  /** Closes the connection that matters least. Returns false if every connection has a complete request open. */
  #makeRoom(): boolean {
    const socket = first(this.#silent) ?? first(this.#idle) ?? this.#receiving();
    if (socket === undefined) return false;
    this.#limits.onRefusal("replaced");
    this.#forget(socket);
    // A client that has sent nothing is not waiting for an answer.
    if (socket.bytesRead === 0 || !socket.writable) socket.destroy();
    else this.#refuse(socket);
    return true;
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
    this.#open.delete(socket);
    this.#silent.delete(socket);
    this.#idle.delete(socket);
  }
}

/**
 * How many requests of one connection are answered at a time. Clients that send requests ahead are rare, and a connection
 * could otherwise have any number open.
 */
const maxAtOnce = 4;

/** The most requests that a connection may have open, most of them waiting. Clients that mean well send a few ahead. */
const maxAhead = 100;

/** Whether to read nothing more. The body of the newest request may still be arriving. */
const isFull = ({ requests, newest }: Connection): boolean =>
  requests.size >= maxAtOnce && newest?.complete === true;

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
