import { setTimeout as sleep } from "node:timers/promises";
import { errorText } from "@purser/core";
import { createBatcher, leaseEnd, leaseMs, toProblem, whileRenewing } from "@purser/platform";
import type { EventListener } from "../listener.ts";
import { type Capacity, type ClaimedEndpoint, type Claims, claimEndpoints } from "./claim.ts";
import type { SendingOptions, SendingPlatform } from "./context.ts";
import { type SendingRecorder, createRecorder } from "./recorder.ts";
import { type DeliveryLoader, EndpointSession, batchSizeOf } from "./session.ts";
import { SlowEndpoints } from "./slow-endpoints.ts";
import {
  filterHavingEndpoints,
  findDueOrganizations,
  findUnreadOrganizations,
  renewLeases,
} from "./store/claims.ts";
import { type DueDelivery, loadDueDeliveries } from "./store/deliveries.ts";

/** How often the worker polls for endpoints that are due, and for claims that were not renewed. */
const pollIntervalMs = 1000;
/** Every so many polls also look for events that no notification announced. */
const pollsPerFullScan = 5;
/** How many claims run concurrently, so that a burst does not take all connections, and for how many organizations each. */
const maxConcurrentClaims = 2;
const claimBatchSize = 100;
/** The first and the longest delay of reading events that wait for an older transaction. */
const backoffMs = { first: 5, longest: 1000 };

/** Sends the events of all organizations to their endpoints. Any number of processes may do so on one database. */
export class WebhookSender {
  readonly #platform: SendingPlatform;
  readonly #options: Required<SendingOptions>;
  readonly #record: SendingRecorder;
  readonly #load: DeliveryLoader;
  readonly #sessions = new Map<string, { session: EndpointSession; ended: Promise<void> }>();
  /** Organizations to claim endpoints of, in the order of arrival. */
  readonly #queue = new Set<string>();
  readonly #inProgress = new Set<string>();
  /** The next delay of organizations whose events wait, and whether a retry is scheduled. */
  readonly #backoffs = new Map<string, { delay: number; isScheduled: boolean }>();
  readonly #slow = new SlowEndpoints();
  #runningClaims = 0;
  /** At the last poll, endpoints were due for which the process had no slot. */
  #isSaturated = false;
  #isAssigning = false;
  #isStarted = false;
  readonly #stop = new AbortController();

  constructor(platform: SendingPlatform, options: SendingOptions) {
    this.#platform = platform;
    this.#options = { maxEndpoints: 1000, ...options };
    this.#record = createRecorder(platform);
    this.#load = createLoader(platform);
  }

  /** Sends until it is stopped. */
  start(listener: EventListener): { stop(timeoutMs?: number): Promise<void> } {
    this.#isStarted = true;
    const end = listener.subscribe(
      (organizationId) => this.#enqueue(organizationId),
      () => void this.#poll({ isFullScan: true }),
    );
    const polling = this.#pollRegularly();
    const ended = Promise.withResolvers<void>();
    // Not between the polls: one may take longer than a claim lasts.
    void this.#renewUntil(() => ended.promise);
    return {
      stop: async (timeoutMs = 8000) => {
        end();
        this.#stop.abort();
        // A statement that looks for work may wait for a silent database, longer than a shutdown may take.
        const polled = Promise.race([polling, sleep(timeoutMs, undefined, { ref: false })]);
        await Promise.all([polled, this.#endSessions(timeoutMs)]).finally(ended.resolve);
      },
    };
  }

  /** Sends what is due, and returns when nothing is due any more. For tests and commands: it needs no `start`. */
  drain(): Promise<void> {
    return this.#renewUntil(() => this.#sendAll());
  }

  /** Ends all connections to receivers. Call it after `stop`. */
  close(): void {
    this.#options.client.close();
  }

  async #sendAll(): Promise<void> {
    for (;;) {
      const found = await this.#findWork({ isFullScan: true });
      if (found.size === 0 && this.#sessions.size === 0) return;
      for (const id of found) await this.#claim(id);
      await Promise.all([...this.#sessions.values()].map(({ ended }) => ended));
    }
  }

  async #pollRegularly(): Promise<void> {
    for (let poll = 0; !this.#stop.signal.aborted; poll += 1) {
      const isFullScan = poll % pollsPerFullScan === 0;
      await this.#poll({ isFullScan });
      await sleep(pollIntervalMs, undefined, { signal: this.#stop.signal, ref: false }).catch(
        () => undefined,
      );
    }
  }

  async #poll(what: { isFullScan: boolean }): Promise<void> {
    try {
      for (const id of await this.#findWork(what)) this.#enqueue(id);
    } catch (error) {
      this.#platform.logger.warn({ reason: errorText(error) }, "Polling for due webhooks failed");
    }
  }

  async #findWork({ isFullScan }: { isFullScan: boolean }): Promise<Set<string>> {
    const { db, clock } = this.#platform;
    const due = await findDueOrganizations(db, {
      now: clock.now(),
      slowIds: this.#slow.ids(),
      limit: this.#options.maxEndpoints,
    });
    const capacity = this.#capacity();
    const claimable = due.filter(({ isDegraded }) => capacity[isDegraded ? "degraded" : "healthy"] > 0);
    this.#isSaturated = claimable.length < due.length;
    const ids = claimable.map(({ id }) => id);
    return new Set(isFullScan ? [...ids, ...(await findUnreadOrganizations(db))] : ids);
  }

  #enqueue(organizationId: string): void {
    if (!this.#isStarted) return;
    this.#queue.add(organizationId);
    this.#dispatch();
  }

  #dispatch(): void {
    while (this.#runningClaims < maxConcurrentClaims && !this.#stop.signal.aborted) {
      const ids = [...this.#queue].filter((id) => !this.#inProgress.has(id)).slice(0, claimBatchSize);
      if (ids.length === 0) return;
      this.#runningClaims += 1;
      for (const id of ids) {
        this.#queue.delete(id);
        this.#inProgress.add(id);
      }
      void this.#claimAll(ids).finally(() => {
        this.#runningClaims -= 1;
        for (const id of ids) this.#inProgress.delete(id);
        this.#dispatch();
      });
    }
  }

  async #claimAll(ids: readonly string[]): Promise<void> {
    try {
      for (const id of await filterHavingEndpoints(this.#platform.db, ids)) {
        if (this.#stop.signal.aborted) return;
        await this.#claimOne(id);
      }
    } catch (error) {
      // The next full scan finds them.
      this.#platform.logger.warn({ reason: errorText(error) }, "Events were not read for webhooks");
    }
  }

  /** Throws only what concerns all organizations: one that always fails must not hold up those behind it. */
  async #claimOne(organizationId: string): Promise<void> {
    try {
      const { hasRead, hasMore, isBlocked } = await this.#claim(organizationId);
      this.#inProgress.delete(organizationId);
      if (hasMore) this.#queue.add(organizationId);
      if (hasRead || !isBlocked) this.#backoffs.delete(organizationId);
      if (isBlocked) this.#retryLater(organizationId);
    } catch (error) {
      if (toProblem(error).code === "UNAVAILABLE") throw error;
      const reason = errorText(error);
      this.#platform.logger.warn({ organizationId, reason }, "Events were not read for webhooks");
    }
  }

  /** Claims again after a delay, which doubles while nothing changes. */
  #retryLater(id: string): void {
    const { delay, isScheduled } = this.#backoffs.get(id) ?? { delay: backoffMs.first, isScheduled: false };
    // Each notification would otherwise start another series of retries.
    if (isScheduled) return;
    const next = Math.min(delay * 2, backoffMs.longest);
    this.#backoffs.set(id, { delay: next, isScheduled: true });
    const again = async () => {
      await sleep(delay, undefined, { signal: this.#stop.signal, ref: false });
      if (this.#backoffs.has(id)) this.#backoffs.set(id, { delay: next, isScheduled: false });
      this.#enqueue(id);
    };
    again().catch(() => undefined);
  }

  async #claim(organizationId: string): Promise<Claims> {
    const claimedAt = performance.now();
    const claims = await claimEndpoints(this.#platform, organizationId, this.#capacity(), this.#slow);
    for (const endpoint of claims.claimed) this.#open(endpoint, claimedAt);
    return claims;
  }

  /** Failing and slow endpoints take at most half of what the process can do, so that they hold up no other. */
  #capacity(): Capacity {
    const sessions = [...this.#sessions.values()];
    const degraded = sessions.filter(({ session }) => this.#isDegraded(session.endpoint)).length;
    const free = this.#options.maxEndpoints - sessions.length;
    return { healthy: free, degraded: Math.min(free, this.#options.maxEndpoints / 2 - degraded) };
  }

  #isDegraded({ id, isFailing }: ClaimedEndpoint): boolean {
    return isFailing || this.#slow.has(id);
  }

  /**
   * Whether a session must end although more is due: another endpoint waits that could have its slot, or slow and failing
   * endpoints have more than their half, because some became so after they were claimed.
   */
  #shouldYield(endpoint: ClaimedEndpoint): boolean {
    if (this.#isDegraded(endpoint)) return this.#isSaturated || this.#capacity().degraded < 0;
    return this.#isSaturated && this.#sessions.size >= this.#options.maxEndpoints;
  }

  #open(endpoint: ClaimedEndpoint, claimedAt: number): void {
    const ports = {
      platform: this.#platform,
      client: this.#options.client,
      load: this.#load,
      record: this.#record,
      slow: this.#slow,
      shouldYield: (one: ClaimedEndpoint) => this.#shouldYield(one),
    };
    // An earlier session of the endpoint has lost its claim, but may not have noticed yet.
    this.#sessions.get(endpoint.id)?.session.leaseLost();
    const session = new EndpointSession(ports, endpoint, claimedAt);
    if (this.#stop.signal.aborted) session.stop();
    this.#sessions.set(endpoint.id, { session, ended: this.#run(session) });
  }

  async #run(session: EndpointSession): Promise<void> {
    const dueAt = await session.run();
    const { id, organizationId } = session.endpoint;
    if (this.#sessions.get(id)?.session === session) this.#sessions.delete(id);
    // Otherwise the same organization would take the slot again at once.
    if (this.#isSaturated) void this.#assignFreeSlots();
    else if (dueAt !== null && dueAt <= this.#platform.clock.now()) this.#enqueue(organizationId);
  }

  /** Gives free slots to the endpoints that have waited longest. What it misses, the next poll finds. */
  async #assignFreeSlots(): Promise<void> {
    if (!this.#isStarted || this.#isAssigning || this.#stop.signal.aborted) return;
    this.#isAssigning = true;
    await this.#poll({ isFullScan: false });
    this.#isAssigning = false;
  }

  /** Renews the claims of this process regularly while the work runs. */
  #renewUntil(work: () => Promise<void>): Promise<void> {
    return whileRenewing(this.#platform, () => this.#renew(), work);
  }

  async #renew(): Promise<void> {
    const { db, clock } = this.#platform;
    const sessions = [...this.#sessions.values()].map(({ session }) => session);
    const byOrganization = Map.groupBy(sessions, ({ endpoint }) => endpoint.organizationId);
    for (const [organizationId, held] of byOrganization) {
      const at = performance.now();
      const until = leaseEnd(clock.now());
      const leases = held.map(({ endpoint }) => endpoint);
      try {
        const { renewed, lost } = await renewLeases(db, organizationId, leases, until);
        for (const session of held) {
          if (renewed.includes(session.endpoint.id)) session.leaseRenewed(at);
          else if (lost.includes(session.endpoint.id)) session.leaseLost();
        }
      } catch (error) {
        this.#platform.logger.warn(
          { reason: errorText(error) },
          "Claims on webhook endpoints were not renewed",
        );
      }
    }
  }

  async #endSessions(timeoutMs: number): Promise<void> {
    for (const { session } of this.#sessions.values()) session.stop();
    const idle = this.#untilIdle();
    // The last half second is for storing what the attempts have come to.
    const late = sleep(Math.max(0, timeoutMs - 500), "late", { ref: false });
    if ((await Promise.race([idle, late])) !== "late") return;
    for (const { session } of this.#sessions.values()) session.abort();
    await Promise.race([idle, sleep(500, undefined, { ref: false })]);
  }

  /** A claim that was under way may still open sessions, which end at once. */
  async #untilIdle(): Promise<void> {
    while (this.#runningClaims > 0 || this.#sessions.size > 0) {
      await Promise.all([...this.#sessions.values()].map(({ ended }) => ended));
      await sleep(5);
    }
  }
}

/** Loads the deliveries of endpoints of one organization together. */
function createLoader({ db, clock }: SendingPlatform): DeliveryLoader {
  return createBatcher<ClaimedEndpoint, DueDelivery[]>({
    run: async (endpoints) => {
      const { organizationId } = endpoints[0]!;
      const leases = endpoints.map(({ lease }) => lease);
      const limit = batchSizeOf(endpoints[0]!);
      const due = await loadDueDeliveries(db, organizationId, { leases, now: clock.now(), limit });
      const byLease = Map.groupBy(due, ({ endpoint }) => endpoint.lease);
      return endpoints.map(({ lease }) => byLease.get(lease) ?? []);
    },
    maxBatchSize: 20,
    groupOf: (endpoint) => `${endpoint.organizationId} ${batchSizeOf(endpoint)}`,
    maxConcurrentBatches: 2,
    maxWaitMs: leaseMs,
  });
}
