import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Problem } from "@purser/core";
import { endWithProblem, isClosing } from "./last-response.ts";

/** A request that is being received or answered. */
export interface OpenRequest {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
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
  /** The requests of a connection are in their own order, which is also the order of the responses. */
  readonly #open = new Map<Socket, Set<OpenRequest>>();
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
    this.#open.set(socket, new Set());
    this.#silent.add(socket);
    socket.once("close", () => this.#forget(socket));
  }

  /** Closes every connection immediately. */
  destroyAll(): void {
    for (const socket of [...this.#open.keys(), ...this.#refused]) socket.destroy();
  }

  /** The open requests of a connection; none of a connection that is closed. */
  requestsOf(socket: Socket): readonly OpenRequest[] {
    return [...(this.#open.get(socket) ?? [])];
  }

  /** Records a request. Returns false if its connection was refused, or has had its last response. */
  begin(request: OpenRequest): boolean {
    const { incoming } = request;
    const { socket } = incoming;
    const requests = this.#open.get(socket);
    if (requests === undefined || isClosing(socket)) {
      // It gets no response. While its body is unread, nothing after it is read either.
      incoming.resume();
      return false;
    }
    this.#silent.delete(socket);
    this.#idle.delete(socket);
    requests.add(request);
    request.outgoing.once("close", () => {
      requests.delete(request);
      if (requests.size === 0 && this.#open.has(socket)) this.#idle.add(socket);
    });
    return true;
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
    for (const [socket, requests] of this.#open) {
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
    endWithProblem(socket, overloaded);
  }

  #forget(socket: Socket): void {
    this.#open.delete(socket);
    this.#silent.delete(socket);
    this.#idle.delete(socket);
  }
}

const maxLingering = 200;

const overloaded = new Problem("UNAVAILABLE", {
  detail: "The service has too many connections. Try again in a moment.",
  retryAfterSeconds: 1,
});

const first = <Value>(values: Set<Value>): Value | undefined => values.values().next().value;
