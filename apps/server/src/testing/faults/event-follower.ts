import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type RandomSource, createRandom } from "@purser/core";
import { type FedEvent, StreamFollower } from "../stream-follower.ts";
import type { Tenant } from "./acknowledged-state.ts";
import type { ProcessSupervisor } from "./process-supervisor.ts";
import type { RetryingClient } from "./retrying-client.ts";

interface Options {
  seed: number;
  processes: ProcessSupervisor;
  client: RetryingClient;
}

/** Reads what happens in a tenant's organization in all three ways, through all faults: feed, stream and webhooks. */
export class EventFollower {
  readonly tenant: Tenant;
  /** What the feed has shown, in its order. */
  readonly fed: FedEvent[] = [];
  /** How many events of the feed are before those of the stream. */
  streamsFrom = 0;
  /** The ids of the events that reached the webhook endpoint, each at least once. */
  readonly received = new Set<string>();
  readonly #options: Options;
  readonly #random: RandomSource;
  readonly #receiver = createServer((request, response) => {
    request.resume().on("end", () => {
      this.received.add(String(request.headers["webhook-id"]));
      response.writeHead(204).end();
    });
  });
  #cursor: string | undefined;
  #stream: StreamFollower | undefined;

  private constructor(options: Options, tenant: Tenant) {
    this.#options = options;
    this.tenant = tenant;
    this.#random = createRandom("events", options.seed, tenant.name);
  }

  /** Starts to follow. Nothing must go wrong until it has. */
  static async open(options: Options, tenant: Tenant): Promise<EventFollower> {
    const follower = new EventFollower(options, tenant);
    await follower.#addEndpoint();
    await follower.readFeed();
    follower.streamsFrom = follower.fed.length;
    follower.#followStream();
    return follower;
  }

  /** What streams have sent, in their order. */
  get streamed(): readonly FedEvent[] {
    return this.#stream!.seen;
  }

  async close(): Promise<void> {
    await this.#stream?.close();
    this.#receiver.closeAllConnections();
    this.#receiver.close();
    await once(this.#receiver, "close");
  }

  /** Reads the feed from where it has been read to, up to its present end. */
  async readFeed(): Promise<void> {
    const { organizationId, owner } = this.tenant;
    for (let hasMore = true; hasMore;) {
      const query = new URLSearchParams({
        organizationId,
        limit: String(this.#random.pick([7, 100, 1000])),
        ...(this.#cursor !== undefined && { cursor: this.#cursor }),
      });
      const page = await this.#options.client.call<FeedPage>({
        method: "GET",
        path: `/api/events/feed?${query.toString()}`,
        token: owner.token,
      });
      this.fed.push(...page.events);
      this.#cursor = page.cursor;
      ({ hasMore } = page);
    }
  }

  /** Reads streams of any server, directly or through the faulty network. */
  #followStream(): void {
    const { organizationId, owner } = this.tenant;
    this.#stream = new StreamFollower({
      organizationId,
      token: owner.token,
      cursor: this.#cursor,
      port: () => {
        const server = this.#random.pick(this.#options.processes.servers);
        return this.#random.happens(0.5) ? server.port : server.proxy.port;
      },
    });
  }

  async #addEndpoint(): Promise<void> {
    this.#receiver.listen(0, "127.0.0.1");
    await once(this.#receiver, "listening");
    const { port } = this.#receiver.address() as AddressInfo;
    const { organizationId, owner } = this.tenant;
    const body = { organizationId, url: `http://127.0.0.1:${port}/` };
    // Without a key: a repeat would be refused, because the answer has a secret.
    await this.#options.client.call({
      method: "POST",
      path: "/api/webhook-endpoints",
      token: owner.token,
      body,
    });
  }
}

interface FeedPage {
  events: FedEvent[];
  cursor: string;
  hasMore: boolean;
}
