import type { TrackedStream } from "@purser/router";
import type { AppService } from "../service.ts";
import type { HttpContext } from "./context.ts";
import { apiHeaders } from "./headers.ts";
import { respond } from "./response.ts";

/** How a transport writes a stream as Server-Sent Events. Each text ends with a blank line. */
export interface SseFormat {
  /** The first message. It carries the cursor where the stream starts, so that a client never starts at the wrong one. */
  opening(cursor: string): string;
  value(id: string, value: object): string;
  /** What clients and proxies get while nothing happens, with the current cursor. */
  heartbeat(cursor: string): string;
  /** The last message of a stream that fails. */
  failure(error: unknown): string;
}

interface Options {
  format: SseFormat;
  /** How long a client may take to read a message. */
  responseTimeoutMs: number;
  /** Called for a client that did not. */
  onUnread: () => void;
}

const heartbeatMs = 15_000;

/** The headers of a stream. Proxies must neither store, transform nor buffer it. */
const streamHeaders: Readonly<Record<string, string>> = {
  ...apiHeaders,
  "Cache-Control": "no-store, no-transform",
  "Content-Type": "text/event-stream",
  "X-Accel-Buffering": "no",
};

/** Responds with a stream, until the client leaves or the stream ends. */
export async function respondWithStream(
  c: HttpContext,
  stream: TrackedStream<unknown>,
  options: Options,
): Promise<Response> {
  if (c.req.method === "HEAD") {
    await stream.return();
    return respond(c, 200, null, streamHeaders);
  }
  return respond(c, 200, new SseBody(c, stream, options).readable, streamHeaders);
}

/** Returns how long the clients of a service may take to read. */
export function streamLimits({ platform, metrics }: AppService): Omit<Options, "format"> {
  const { responseTimeoutMs } = platform.settings.httpLimits;
  return { responseTimeoutMs, onUnread: () => metrics.edge.refused("unread") };
}

/** Asks clients to wait before they reconnect, not all at the same moment. In milliseconds. */
export const retryField = (minimumMs: number): string =>
  `retry: ${Math.round(minimumMs * (1 + Math.random()))}\n`;

/** Reads a stream only as fast as the client does, so that nothing but one message waits in memory. */
class SseBody {
  readonly readable: ReadableStream<Uint8Array>;
  readonly #c: HttpContext;
  readonly #stream: TrackedStream<unknown>;
  readonly #options: Options;
  /** Set while the next value of the stream is requested. */
  #isRequested = false;
  /** A value of the stream that was not sent yet. */
  #unsent: string | undefined;
  #isOver = false;
  #wake: (() => void) | undefined;
  #unread: NodeJS.Timeout | undefined;

  constructor(c: HttpContext, stream: TrackedStream<unknown>, options: Options) {
    this.#c = c;
    this.#stream = stream;
    this.#options = options;
    this.#unsent = options.format.opening(stream.cursor);
    // Other requests of a client that has closed its own side are still answered (docs/decisions/0034).
    const socket = c.env.incoming?.socket;
    socket?.once("end", this.#leave);
    if (socket?.readableEnded) this.#leave();
    this.readable = new ReadableStream(
      {
        pull: (controller) => this.#pull(controller),
        cancel: () => this.#close(),
      },
      { highWaterMark: 0 },
    );
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    clearTimeout(this.#unread);
    const message = this.#unsent ?? (await this.#next());
    this.#unsent = undefined;
    if (message !== undefined) {
      controller.enqueue(encoder.encode(message));
      this.#unread = setTimeout(() => this.#cut(), this.#options.responseTimeoutMs).unref();
    } else {
      this.#close();
      controller.close();
    }
  }

  /** Returns the next message, or undefined after the last one. */
  async #next(): Promise<string | undefined> {
    if (this.#isOver) return undefined;
    this.#request();
    // No promise of the stream is raced with the time: over the days of a stream, each race would stay in memory.
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, heartbeatMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    return this.#unsent ?? this.#options.format.heartbeat(this.#stream.cursor);
  }

  /** Requests the next value of the stream, if it is not requested yet. */
  #request(): void {
    if (this.#isRequested) return;
    this.#isRequested = true;
    void this.#take();
  }

  async #take(): Promise<void> {
    const { format } = this.#options;
    try {
      const { done, value } = await this.#stream.next();
      // The process stops. Another one continues.
      if (done) this.#end(`${retryField(drainRetryMs)}\n`);
      else this.#unsent = format.value(value[0], value[1] as object);
    } catch (error) {
      this.#end(format.failure(error));
    }
    this.#isRequested = false;
    this.#wake?.();
  }

  #end(message: string): void {
    this.#unsent = message;
    this.#isOver = true;
  }

  #cut(): void {
    this.#options.onUnread();
    this.#leave();
  }

  /** The client is gone, or as good as gone. */
  readonly #leave = (): void => {
    this.#c.env.outgoing?.destroy();
    this.#close();
  };

  #close(): void {
    clearTimeout(this.#unread);
    this.#c.env.incoming?.socket.off("end", this.#leave);
    this.#isOver = true;
    void this.#stream.return();
  }
}

const encoder = new TextEncoder();
/** A process that takes over, or the same one after a restart, needs a moment. */
const drainRetryMs = 500;
