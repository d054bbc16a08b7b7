import type { Platform } from "../context.ts";
import { platformMetrics } from "../platform-metrics.ts";
import { type PermitLease, deleteOtherWindows, isPresentWindow, leasePermits, windowMs } from "./store.ts";

/** Whether the request may proceed, and if not, the seconds until the next window. */
export type RateLimitResult = { ok: true } | { ok: false; retryAfterSeconds: number };

/** A limit per minute and key that all processes share. */
export interface RequestLimit {
  /**
   * Takes one permit of the present minute. The key names a caller or an address. Answers at once while this process has
   * permits, because a promise would cost each request more than the count.
   */
  take(key: string): RateLimitResult | Promise<RateLimitResult>;
  /** Whether this process knows that the key has no permit left in the present minute. Reads no database. */
  isSpent(key: string): boolean;
  /** Deletes the counts of all but the present minute. For a scheduled job. */
  purge(): Promise<void>;
}

/** A lease is this fraction of the limit, so a busy caller costs about twenty writes a minute. */
const leasesInLimit = 20;

/**
 * Limits requests to REQUESTS_PER_CALLER per minute and key over all processes. Each process leases blocks of permits
 * from PostgreSQL and spends them in memory. Together the processes never exceed the limit. Permits that a process does
 * not spend are lost for the rest of the minute.
 */
export function createRequestLimit({
  db,
  clock,
  settings,
  meter,
}: Pick<Platform, "db" | "clock" | "settings" | "meter">): RequestLimit {
  const limit = settings.requestsPerCaller;
  const block = Math.max(1, Math.floor(limit / leasesInLimit));
  const leases = new Map<string, PermitLease>();
  const renewals = new Map<string, Promise<void>>();
  let sweptAt = 0;

  async function renew(key: string): Promise<void> {
    const now = clock.now();
    const lease = await leasePermits(db, { key: `requests:${key}`, now, block, limit });
    sweep(now.getTime());
    leases.set(key, lease);
  }

  /** Concurrent requests without a permit share one renewal. */
  function renewOnce(key: string): Promise<void> {
    const running = renewals.get(key);
    if (running !== undefined) return running;
    const renewal = renew(key).finally(() => renewals.delete(key));
    renewals.set(key, renewal);
    return renewal;
  }

  function sweep(now: number): void {
    if (Math.abs(now - sweptAt) < windowMs) return;
    sweptAt = now;
    for (const [key, lease] of leases) if (!isPresentWindow(lease.endsAt, now)) leases.delete(key);
  }

  /** Returns undefined if only a new lease can tell. */
  function takeLeased(key: string): RateLimitResult | undefined {
    const now = clock.now().getTime();
    const lease = leases.get(key);
    if (lease === undefined || !isPresentWindow(lease.endsAt, now)) return undefined;
    if (lease.left > 0) {
      lease.left -= 1;
      return { ok: true };
    }
    if (!lease.exhausted) return undefined;
    meter.count(platformMetrics.limitedRequests, { limit: "caller" });
    return { ok: false, retryAfterSeconds: Math.ceil((lease.endsAt - now) / 1000) };
  }

  async function leaseAndTake(key: string): Promise<RateLimitResult> {
    for (;;) {
      await renewOnce(key);
      const result = takeLeased(key);
      if (result !== undefined) return result;
    }
  }

  return {
    take: (key) => takeLeased(key) ?? leaseAndTake(key),
    isSpent(key) {
      const lease = leases.get(key);
      if (lease === undefined || !isPresentWindow(lease.endsAt, clock.now().getTime())) return false;
      return lease.exhausted && lease.left === 0;
    },
    async purge() {
      await deleteOtherWindows(db, clock.now());
    },
  };
}
