import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

interface Limits {
  /** How long a client may take to read a response. */
  timeoutMs: number;
  /** The most bytes that wait for clients, over the whole process. */
  maximumBytes: number;
  /** Called for each connection that is cut off. */
  onCut: () => void;
}

interface Unsent {
  socket: Socket;
  bytes: number;
  since: number;
}

const sweepMs = 1000;

/**
 * Cuts off clients that do not read their responses. What the kernel does not take stays in memory, and Node has no limit
 * for it.
 */
export class UnsentResponses {
  /** The oldest first. */
  readonly #waiting = new Map<ServerResponse, Unsent>();
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

  watch(outgoing: ServerResponse, socket: Socket): void {
    // The response is complete. Usually the kernel has taken all of it by now.
    outgoing.once("prefinish", () => {
      const bytes = outgoing.writableLength;
      if (bytes > 0 && !socket.destroyed) this.#add(outgoing, { socket, bytes, since: performance.now() });
    });
  }

  close(): void {
    clearInterval(this.#sweep);
  }

  #add(outgoing: ServerResponse, unsent: Unsent): void {
    this.#waiting.set(outgoing, unsent);
    this.#bytes += unsent.bytes;
    const remove = () => {
      if (this.#waiting.delete(outgoing)) this.#bytes -= unsent.bytes;
    };
    outgoing.once("finish", remove);
    outgoing.once("close", remove);
    // The oldest has had the most time to read. A client that reads is done within a round trip or a few.
    for (const [oldest, waiting] of this.#waiting) {
      if (this.#bytes <= this.#limits.maximumBytes) return;
      this.#cut(oldest, waiting);
    }
  }

  #cutLate(): void {
    const latest = performance.now() - this.#limits.timeoutMs;
    for (const [outgoing, unsent] of this.#waiting) {
      if (unsent.since > latest) return;
      this.#cut(outgoing, unsent);
    }
  }

  #cut(outgoing: ServerResponse, { socket, bytes }: Unsent): void {
    if (this.#waiting.delete(outgoing)) this.#bytes -= bytes;
    this.#limits.onCut();
    socket.destroy();
  }
}
