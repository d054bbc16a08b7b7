import { type IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

interface Limits {
  /** How long a client may take to read a response. */
  timeoutMs: number;
  /** The most bytes that wait for clients, over the whole process. */
  maxBytes: number;
  /** Called for each connection that is cut off. */
  onCut: () => void;
}

/** What a connection has not taken yet of its complete responses. */
interface Unsent {
  bytes: number;
}

interface Sending {
  socket: Socket;
  since: number;
}

const sweepMs = 1000;

/**
 * Cuts off clients that do not read their responses. What the kernel does not take stays in memory, and Node has no limit
 * for it.
 */
export class UnsentResponses {
  /** By connection, the one that has waited for longest first. */
  readonly #unsent = new Map<Socket, Unsent>();
  /** The complete responses that are being sent, the oldest first. */
  readonly #sending = new Map<ServerResponse, Sending>();
  readonly #limits: Limits;
  readonly #sweep: NodeJS.Timeout;
  #bytes = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#sweep = setInterval(() => this.#cutLate(), Math.min(sweepMs, limits.timeoutMs)).unref();
  }

  /** The bytes that wait for clients to read them. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * The class of the server's responses. A method of it costs less than a listener on each response. Once a response is complete,
   * nothing reads the rest of its request's body, which would wait in memory until the responses before it are sent.
   */
  responseClass(): typeof ServerResponse<IncomingMessage> {
    const ended = (outgoing: ServerResponse) => this.#ended(outgoing);
    return class extends ServerResponse {
      override end(...parts: unknown[]): this {
        super.end(...(parts as []));
        if (!this.req.complete) this.req.resume();
        ended(this);
        return this;
      }
    };
  }

  close(): void {
    clearInterval(this.#sweep);
  }

  /**
   * Usually the kernel has taken all of a complete response by now. What it has not, or what waits behind other responses of the
   * connection, takes memory from here on.
   */
  #ended(outgoing: ServerResponse): void {
    const bytes = outgoing.writableLength;
    const { socket } = outgoing.req;
    if (bytes === 0 || socket.destroyed) return;
    this.#add(outgoing, socket, bytes);
    if (outgoing.socket !== null) return this.#send(outgoing, socket);
    // It waits behind another one, and gets this event when it is its turn. Only then the client can read it.
    outgoing.once("prefinish", () => {
      if (outgoing.writableLength > 0 && !socket.destroyed) this.#send(outgoing, socket);
    });
  }

  #send(outgoing: ServerResponse, socket: Socket): void {
    this.#sending.set(outgoing, { socket, since: performance.now() });
    outgoing.once("close", () => this.#sending.delete(outgoing));
  }

  #add(outgoing: ServerResponse, socket: Socket, bytes: number): void {
    const unsent = this.#unsent.get(socket) ?? { bytes: 0 };
    this.#unsent.set(socket, unsent);
    unsent.bytes += bytes;
    this.#bytes += bytes;
    outgoing.once("close", () => {
      // Otherwise the connection was cut off.
      if (this.#unsent.get(socket) === unsent) this.#remove(socket, unsent, bytes);
    });
    // The oldest has had the most time to read. A client that reads is done within a round trip or a few.
    for (const [oldest] of this.#unsent) {
      if (this.#bytes <= this.#limits.maxBytes) return;
      this.#cut(oldest);
    }
  }

  #remove(socket: Socket, unsent: Unsent, bytes: number): void {
    this.#bytes -= bytes;
    unsent.bytes -= bytes;
    if (unsent.bytes === 0) this.#unsent.delete(socket);
  }

  #cutLate(): void {
    const latest = performance.now() - this.#limits.timeoutMs;
    for (const [outgoing, { socket, since }] of this.#sending) {
      if (since > latest) return;
      this.#sending.delete(outgoing);
      this.#cut(socket);
    }
  }

  #cut(socket: Socket): void {
    const unsent = this.#unsent.get(socket);
    if (unsent !== undefined) this.#remove(socket, unsent, unsent.bytes);
    if (socket.destroyed) return;
    this.#limits.onCut();
    socket.destroy();
  }
}
