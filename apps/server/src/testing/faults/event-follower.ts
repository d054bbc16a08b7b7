import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type RandomSource, createRandom } from "@purser/core";
import { type FedEvent, StreamFollower } from "../stream-follower.ts";
import type { Tenant } from "./acknowledged-state.ts";
import type { ProcessSupervisor } from "./process-supervisor.ts";
import type { RetryingClient } from "./retrying-client.ts";

interface Options {
  seed: number;
  processes: Pick<ProcessSupervisor, "query" | "settleLimitMs"> & {
    servers: readonly { port: number; proxy: { port: number } }[];
  };
  client: Pick<RetryingClient, "call">;
}

/** What a follower has read, by reader. */
export type FollowedEvents = Pick<EventFollower, "fed" | "streamed" | "streamsFrom" | "received">;

/** Reads what happens in a tenant's organization in all three ways, through all faults: feed, stream and webhooks. */
export class EventFollower {
  readonly tenant: Pick<Tenant, "name" | "organizationId" | "owner">;
  /** What the feed has shown, in its order. */
  readonly fed: FedEvent[] = [];
  /** How many events of the feed are before those of the stream and of the endpoint. */
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

  private constructor(options: Options, tenant: EventFollower["tenant"]) {
    this.#options = options;
    this.tenant = tenant;
    this.#random = createRandom("events", options.seed, tenant.name);
  }

  /** Starts to follow. Nothing must go wrong until it has. */
  static async open(options: Options, tenant: EventFollower["tenant"]): Promise<EventFollower> {
    const follower = new EventFollower(options, tenant);
    try {
      await follower.#addEndpoint();
      await follower.#awaitOpenTransactions();
      await follower.readFeed();
    } catch (error) {
      await follower.close();
      throw error;
    }
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

  /**
   * The feed ends before the oldest open transaction, such as the first synchronization of a bank. It would show only later
   * what was recorded before the endpoint was created, and the endpoint does not get that.
   */
  async #awaitOpenTransactions(): Promise<void> {
    const { processes } = this.#options;
    const { organizationId } = this.tenant;
    // Transaction ids are those of the server that has the organization.
    const [begun] = await processes.query<{ id: string }>(
      (sql) => sql`SELECT pg_current_xact_id()::text AS id FROM organizations WHERE id = ${organizationId}`,
    );
    for (const until = performance.now() + processes.settleLimitMs; ;) {
      const open = await processes.query(
        (sql) => sql`
          SELECT FROM organizations
          WHERE id = ${organizationId} AND pg_snapshot_xmin(pg_current_snapshot()) <= ${begun!.id}::xid8`,
      );
      if (open.length === 0) return;
      if (performance.now() > until) throw new Error("A transaction from before the load is still open");
      await sleep(20);
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
