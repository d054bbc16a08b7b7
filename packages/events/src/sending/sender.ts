import { setTimeout as sleep } from "node:timers/promises";
import { errorText } from "@purser/core";
import { createBatcher, leaseMs, whileRenewing } from "@purser/platform";
import type { EventListener } from "../listener.ts";
import { type Capacity, type ClaimedEndpoint, type Claims, claimEndpoints } from "./claim.ts";
import type { SendingOptions, SendingPlatform } from "./context.ts";
import { type SendingRecorder, createRecorder } from "./recorder.ts";
import { type DeliveryLoader, EndpointSession, batchSizeOf } from "./session.ts";
import { SlowEndpoints } from "./slow-endpoints.ts";
import { findDueOrganizations, findUnreadOrganizations, renewLeases, withEndpoints } from "./store/claims.ts";
import { type DueDelivery, loadDueDeliveries } from "./store/deliveries.ts";

/** How often the worker looks for endpoints that are due, and for claims that were not renewed. */
const tickMs = 1000;
/** How often it looks for events that no notification announced: every so many ticks. */
const ticksPerSweep = 5;
/** Organizations that are looked at at the same time, so that a burst does not take all connections. */
const lookingAtOnce = 2;
const organizationsAtOnce = 100;
/** The first and the longest pause before events are read that wait for an older transaction. */
const heldUpMs = { first: 5, longest: 1000 };

/** Sends the events of all organizations to their endpoints. Any number of processes may do so on one database. */
export class WebhookSender {
  readonly #platform: SendingPlatform;
  readonly #options: Required<SendingOptions>;
  readonly #record: SendingRecorder;
  readonly #load: DeliveryLoader;
  readonly #sessions = new Map<string, { session: EndpointSession; ended: Promise<void> }>();
  /** Organizations to look at, in the order of arrival. */
  readonly #woken = new Set<string>();
  readonly #looking = new Set<string>();
  /** The next pause of organizations whose events wait, and whether it runs already. */
  readonly #heldUp = new Map<string, { delay: number; isPausing: boolean }>();
  readonly #slow = new SlowEndpoints();
  #lanes = 0;
  /** Endpoints were due at the last look for which the process had no slot. */
  #isCrowded = false;
  #isHandingOver = false;
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
      (organizationId) => this.#wake(organizationId),
      () => void this.#look({ isSweep: true }),
    );
    const ticking = this.#tick();
    const ended = Promise.withResolvers<void>();
    // Not by the ticks: each waits for its look, which may take longer than a claim lasts.
    void this.#renewUntil(() => ended.promise);
    return {
      stop: async (timeoutMs = 8000) => {
        end();
        this.#stop.abort();
        // A statement that looks for work may wait for a silent database, longer than a shutdown may take.
        const ticked = Promise.race([ticking, sleep(timeoutMs, undefined, { ref: false })]);
        await Promise.all([ticked, this.#endSessions(timeoutMs)]).finally(ended.resolve);
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
      const found = await this.#findWork({ isSweep: true });
      if (found.size === 0 && this.#sessions.size === 0) return;
      for (const id of found) await this.#claim(id);
      await Promise.all([...this.#sessions.values()].map(({ ended }) => ended));
    }
  }

  async #tick(): Promise<void> {
    for (let tick = 0; !this.#stop.signal.aborted; tick += 1) {
      const isSweep = tick % ticksPerSweep === 0;
      await this.#look({ isSweep });
      await sleep(tickMs, undefined, { signal: this.#stop.signal, ref: false }).catch(() => undefined);
    }
  }

  async #look(what: { isSweep: boolean }): Promise<void> {
    try {
      for (const id of await this.#findWork(what)) this.#wake(id);
    } catch (error) {
      this.#platform.logger.warn({ reason: errorText(error) }, "Due webhooks could not be looked for");
    }
  }

  async #findWork({ isSweep }: { isSweep: boolean }): Promise<Set<string>> {
    const { db, clock } = this.#platform;
    const due = await findDueOrganizations(db, {
      now: clock.now(),
      slowIds: this.#slow.ids(),
      limit: this.#options.maxEndpoints,
    });
    const capacity = this.#capacity();
    const claimable = due.filter(({ isLimited }) => capacity[isLimited ? "limited" : "healthy"] > 0);
    this.#isCrowded = claimable.length < due.length;
    const ids = claimable.map(({ id }) => id);
    return new Set(isSweep ? [...ids, ...(await findUnreadOrganizations(db))] : ids);
  }

  #wake(organizationId: string): void {
    if (!this.#isStarted) return;
    this.#woken.add(organizationId);
    this.#pump();
  }

  #pump(): void {
    while (this.#lanes < lookingAtOnce && !this.#stop.signal.aborted) {
      const ids = [...this.#woken].filter((id) => !this.#looking.has(id)).slice(0, organizationsAtOnce);
      if (ids.length === 0) return;
      this.#lanes += 1;
      for (const id of ids) {
        this.#woken.delete(id);
        this.#looking.add(id);
      }
      void this.#visit(ids).finally(() => {
        this.#lanes -= 1;
        for (const id of ids) this.#looking.delete(id);
        this.#pump();
      });
    }
  }

  async #visit(ids: readonly string[]): Promise<void> {
    try {
      for (const id of await withEndpoints(this.#platform.db, ids)) {
        if (this.#stop.signal.aborted) return;
        const { hasRead, hasMore, isHeldUp } = await this.#claim(id);
        this.#looking.delete(id);
        if (hasMore) this.#woken.add(id);
        if (hasRead || !isHeldUp) this.#heldUp.delete(id);
        if (isHeldUp) this.#lookAgain(id);
      }
    } catch (error) {
      // The next sweep finds them.
      this.#platform.logger.warn({ reason: errorText(error) }, "Events were not read for webhooks");
    }
  }

  /** Looks again after a pause, which doubles while nothing changes. */
  #lookAgain(id: string): void {
    const { delay, isPausing } = this.#heldUp.get(id) ?? { delay: heldUpMs.first, isPausing: false };
    // Notifications go on meanwhile. Each would start a series of its own.
    if (isPausing) return;
    const next = Math.min(delay * 2, heldUpMs.longest);
    this.#heldUp.set(id, { delay: next, isPausing: true });
    const again = async () => {
      await sleep(delay, undefined, { signal: this.#stop.signal, ref: false });
      if (this.#heldUp.has(id)) this.#heldUp.set(id, { delay: next, isPausing: false });
      this.#wake(id);
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
    const limited = sessions.filter(({ session }) => this.#isLimited(session.endpoint)).length;
    const free = this.#options.maxEndpoints - sessions.length;
    return { healthy: free, limited: Math.min(free, this.#options.maxEndpoints / 2 - limited) };
  }

  #isLimited({ id, isFailing }: ClaimedEndpoint): boolean {
    return isFailing || this.#slow.has(id);
  }

  /**
   * Whether a session must end although more is due: another endpoint waits that could have its slot, or endpoints that became
   * slow or failing meanwhile have more than their half.
   */
  #mustYield(endpoint: ClaimedEndpoint): boolean {
    if (this.#isLimited(endpoint)) return this.#isCrowded || this.#capacity().limited < 0;
    return this.#isCrowded && this.#sessions.size >= this.#options.maxEndpoints;
  }

  #open(endpoint: ClaimedEndpoint, claimedAt: number): void {
    const ports = {
      platform: this.#platform,
      client: this.#options.client,
      load: this.#load,
      record: this.#record,
      slow: this.#slow,
      mustYield: (one: ClaimedEndpoint) => this.#mustYield(one),
    };
    // An earlier session of the endpoint has lost its claim, but may not have noticed yet.
    this.#sessions.get(endpoint.id)?.session.lose();
    const session = new EndpointSession(ports, endpoint, claimedAt);
    if (this.#stop.signal.aborted) session.stop();
    this.#sessions.set(endpoint.id, { session, ended: this.#run(session) });
  }

  async #run(session: EndpointSession): Promise<void> {
    const dueAt = await session.run();
    const { id, organizationId } = session.endpoint;
    if (this.#sessions.get(id)?.session === session) this.#sessions.delete(id);
    // Its own organization would take the slot again at once.
    if (this.#isCrowded) void this.#handOver();
    else if (dueAt !== null && dueAt <= this.#platform.clock.now()) this.#wake(organizationId);
  }

  /** Gives slots that have become free to those that have waited longest. What it misses, the next tick finds. */
  async #handOver(): Promise<void> {
    if (!this.#isStarted || this.#isHandingOver || this.#stop.signal.aborted) return;
    this.#isHandingOver = true;
    await this.#look({ isSweep: false });
    this.#isHandingOver = false;
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
      const until = new Date(clock.now().getTime() + leaseMs);
      const leases = held.map(({ endpoint }) => endpoint);
      try {
        const { renewed, lost } = await renewLeases(db, organizationId, leases, until);
        for (const session of held) {
          if (renewed.includes(session.endpoint.id)) session.renewed(at);
          else if (lost.includes(session.endpoint.id)) session.lose();
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
    while (this.#lanes > 0 || this.#sessions.size > 0) {
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
