import { once } from "node:events";
import { type IncomingMessage, request as httpRequest } from "node:http";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

/** An event, as far as tests compare it. */
export interface FedEvent {
  id: string;
  type: string;
  subject: { type: string; id: string };
  data: { balance?: number; status?: string };
}

interface Options {
  organizationId: string;
  token: string;
  /** The place in the feed after which it begins. Default: now. */
  cursor?: string | undefined;
  /** Returns the port of the server that the next stream is opened at. */
  port: () => number;
}

/** A stream sends a heartbeat every 15 seconds. */
const silenceMs = 17_000;
const reconnectMs = 100;

/** Follows the events of an organization over one stream after the other, as the EventSource of a browser does. */
export class StreamFollower {
  readonly seen: FedEvent[] = [];
  readonly #options: Options;
  readonly #closing = new AbortController();
  readonly #following: Promise<void>;
  readonly #opened = Promise.withResolvers<void>();
  #cursor: string | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.#cursor = options.cursor;
    this.#following = this.#follow();
  }

  /** Resolves when the first stream is open. */
  get opened(): Promise<void> {
    return this.#opened.promise;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#following;
  }

  async #follow(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      // What breaks a stream does not matter, as long as the next one continues.
      await this.#read().catch(() => undefined);
      await sleep(reconnectMs);
    }
  }

  async #read(): Promise<void> {
    const { organizationId, token, port } = this.#options;
    const silence = new AbortController();
    const request = httpRequest({
      host: "127.0.0.1",
      port: port(),
      path: `/api/events/stream?organizationId=${organizationId}`,
      headers: {
        authorization: `Bearer ${token}`,
        ...(this.#cursor !== undefined && { "last-event-id": this.#cursor }),
      },
      agent: false,
      signal: AbortSignal.any([this.#closing.signal, silence.signal]),
    });
    let timer = setTimeout(() => silence.abort(), silenceMs);
    try {
      request.end();
      const [response] = (await once(request, "response")) as [IncomingMessage];
      if (response.statusCode !== 200) return;
      response.on("data", () => {
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), silenceMs);
      });
      let message = new Map<string, string>();
      for await (const line of createInterface({ input: response })) {
        const [field = "", value = ""] = line.split(/: (.*)/s);
        if (line !== "") message.set(field, value);
        else {
          this.#take(message);
          message = new Map();
        }
      }
    } finally {
      clearTimeout(timer);
      request.destroy();
    }
  }

  #take(message: ReadonlyMap<string, string>): void {
    const [id, data] = [message.get("id"), message.get("data")];
    // The message of an error has no id. It ends the stream.
    if (id === undefined) return;
    this.#cursor = id;
    this.#opened.resolve();
    if (data !== undefined) this.seen.push(JSON.parse(data) as FedEvent);
  }
}
