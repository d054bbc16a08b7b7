import { errorText } from "@purser/core";
import { isAway, leaseMs } from "@purser/platform";
import { attemptDelivery } from "./attempt.ts";
import type { ClaimedEndpoint } from "./claim.ts";
import type { WebhookClient } from "./client.ts";
import type { SendingPlatform } from "./context.ts";
import { type DisableReason, disableFailingEndpoint } from "./disable-endpoint.ts";
import type { SendingRecorder } from "./recorder.ts";
import { hasFailedTooLong } from "./rules.ts";
import { type SlowEndpoints, slowAttemptMs } from "./slow-endpoints.ts";
import type { DueDelivery } from "./store/deliveries.ts";

/** Loads the due deliveries of a claimed endpoint, at most `batchSizeOf` it. The first one has its data. */
export type DeliveryLoader = (endpoint: ClaimedEndpoint) => Promise<DueDelivery[]>;

const batchSize = { healthy: 40, failing: 4 };

/** How many deliveries are loaded at once. A process may have many failing endpoints, each with a long backlog. */
export const batchSizeOf = ({ isFailing }: ClaimedEndpoint): number =>
  isFailing ? batchSize.failing : batchSize.healthy;

/** Requests to one endpoint at a time. One that fails gets one at a time until it has taken an event. */
const maxConcurrency = 4;
/** After this time the rest of a batch is loaded again, because the endpoint may have been changed. */
const maxBatchAgeMs = 5000;
/** After this time a session ends, although more is due, if other endpoints wait for its slot. */
const minSessionMs = slowAttemptMs;
/** A session ends this long before its lease expires if that was not renewed: no two processes may send at the same time. */
const leaseMarginMs = 2000;

interface SessionPorts {
  platform: SendingPlatform;
  client: WebhookClient;
  load: DeliveryLoader;
  record: SendingRecorder;
  slow: Pick<SlowEndpoints, "note">;
  /** Whether other endpoints wait for the slot of this one. */
  shouldYield: (endpoint: ClaimedEndpoint) => boolean;
}

/** Sends to one endpoint, as long as this process has the claim on it and deliveries are due. */
export class EndpointSession {
  readonly endpoint: ClaimedEndpoint;
  readonly #ports: SessionPorts;
  readonly #abort = new AbortController();
  #expiry: NodeJS.Timeout | undefined;
  #renewedAt = -Infinity;
  readonly #startedAt = performance.now();
  #failures = 0;
  #isStopping = false;
  #isLost = false;

  constructor(ports: SessionPorts, endpoint: ClaimedEndpoint, claimedAt: number) {
    this.endpoint = endpoint;
    this.#ports = ports;
    this.leaseRenewed(claimedAt);
  }

  /**
   * Sends until nothing is due, or others need the slot. Returns when the endpoint is due next; null if it is not, or the claim
   * was lost.
   */
  async run(): Promise<Date | null> {
    const { platform, record } = this.#ports;
    const { endpoint } = this;
    try {
      await this.#sendDue();
    } catch (error) {
      if (this.#isLost || !this.#isStopping)
        platform.logger.warn(
          { endpointId: endpoint.id, reason: errorText(error) },
          "Sending to a webhook endpoint was interrupted",
        );
      // Results that the database refuses would be refused again, and the endpoint would get the same events without a pause.
      // An overloaded database would get no pause either. So the claim expires by itself. A database that was away takes the end
      // of the claim once it is back.
      const isOver = this.#isStopping || isAway(error);
      if (this.#isLost || !isOver) return null;
    } finally {
      clearTimeout(this.#expiry);
    }
    const recorded = await record({ endpoint: { ...endpoint }, outcome: null }).catch(() => null);
    return recorded?.dueAt ?? null;
  }

  /** Starts no more attempts. */
  stop(): void {
    this.#isStopping = true;
  }

  /** Ends the running attempts. It is then unknown whether the receiver has the event: it is sent again. */
  abort(): void {
    this.stop();
    this.#abort.abort();
  }

  /** Lets the session go on for as long as a lease lasts that was taken or renewed at `at`, a `performance.now()`. */
  leaseRenewed(at: number): void {
    // A renewal that had to wait may end after the next one.
    if (at < this.#renewedAt) return;
    this.#renewedAt = at;
    clearTimeout(this.#expiry);
    // A dedicated timer, because a silent database delays everything else in the sender.
    const leftMs = at + leaseMs - leaseMarginMs - performance.now();
    this.#expiry = setTimeout(() => this.leaseLost(), leftMs).unref();
  }

  /** Ends everything at once: another process may send now. */
  leaseLost(): void {
    this.#isLost = true;
    this.abort();
  }

  async #sendDue(): Promise<void> {
    for (;;) {
      const limit = batchSizeOf(this.endpoint);
      const due = await this.#ports.load(this.endpoint);
      if (due.length === 0) return;
      const left = await this.#send(due);
      if (this.#isOver() || (due.length < limit && left === 0)) return;
    }
  }

  #isOver(): boolean {
    if (this.#isStopping) return true;
    return performance.now() - this.#startedAt >= minSessionMs && this.#ports.shouldYield(this.endpoint);
  }

  /** Sends a batch, and returns how many of it were left. Every result is stored when it returns. */
  async #send(due: readonly DueDelivery[]): Promise<number> {
    const waiting = due.filter(({ isLoaded }) => isLoaded);
    const notLoaded = due.length - waiting.length;
    const stored: Promise<void>[] = [];
    const until = performance.now() + maxBatchAgeMs;
    const worker = async () => {
      while (!this.#isOver() && performance.now() < until) {
        const next = waiting.shift();
        if (next === undefined) return;
        await this.#attempt(next, stored);
      }
    };
    const concurrency = this.endpoint.isFailing ? 1 : maxConcurrency;
    const ended = await Promise.allSettled(Array.from({ length: concurrency }, worker));
    // Otherwise the deliveries would be loaded, and sent, once more.
    await Promise.all(stored);
    const failed = ended.find((one) => one.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    return notLoaded + waiting.length;
  }

  /** Sends one delivery. The next attempt does not wait until the result of this one is `stored`. */
  async #attempt(due: DueDelivery, stored: Promise<void>[]): Promise<void> {
    const { platform, client, record, slow } = this.#ports;
    const outcome = await attemptDelivery(platform, client, due, this.#abort.signal);
    slow.note(this.endpoint.id, outcome.result.attempt?.durationMs ?? 0);
    const endpoint = { ...this.endpoint };
    const { url } = due.endpoint;
    if (outcome.hasSucceeded === false) {
      this.endpoint.isFailing = true;
      this.#failures += 1;
    }
    const failuresBefore = this.#failures;
    const store = async () => {
      const recorded = await record({ endpoint, outcome });
      // It works again, unless another request has failed before this result was stored.
      if (outcome.hasSucceeded && failuresBefore === this.#failures) this.endpoint.isFailing = false;
      const failingSince = outcome.hasSucceeded === false ? (recorded?.failingSince ?? null) : null;
      if (outcome.isGone) await this.#disable(url, "gone");
      else if (hasFailedTooLong(failingSince, platform.clock.now())) await this.#disable(url, "failing");
    };
    const storing = store();
    // The batch awaits it only when its workers have ended.
    storing.catch(() => undefined);
    stored.push(storing);
  }

  async #disable(url: string, reason: DisableReason): Promise<void> {
    this.stop();
    await disableFailingEndpoint(this.#ports.platform, { ...this.endpoint, url }, reason);
  }
}
