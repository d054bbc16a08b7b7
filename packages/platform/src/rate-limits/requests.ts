import type { Platform } from "../context.ts";
import { platformMetrics } from "../platform-metrics.ts";
import { type PermitLease, deletePastWindows, leasePermits, windowMs } from "./store.ts";

/** Whether a request may be served, and if not, after how many seconds one may again. */
export type RateLimitResult = { ok: true } | { ok: false; retryAfterSeconds: number };

export interface RequestLimit {
  /** One request of this key, which names a caller or an address, in the present minute. */
  take(key: string): Promise<RateLimitResult>;
  /** Deletes the counts of minutes that have passed. For a scheduled job. */
  purge(): Promise<void>;
}

/** A lease is this part of the limit, so that a busy caller costs some twenty writes a minute. */
const leasesInLimit = 20;

/**
 * Limits requests to REQUESTS_PER_CALLER a minute and key, over all processes: each leases permits in blocks
 * from PostgreSQL and spends them in memory. Together they never give out more than the limit; what a process
 * does not spend is lost for the rest of the minute.
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

  /** Of many requests that find no permit left, one asks the database and the others wait for it. */
  function renewOnce(key: string): Promise<void> {
    const running = renewals.get(key);
    if (running !== undefined) return running;
    const renewal = renew(key).finally(() => renewals.delete(key));
    renewals.set(key, renewal);
    return renewal;
  }

  function sweep(now: number): void {
    if (now < sweptAt + windowMs) return;
    sweptAt = now;
    for (const [key, lease] of leases) if (lease.endsAt <= now) leases.delete(key);
  }

  return {
    async take(key) {
      for (;;) {
        const now = clock.now().getTime();
        const lease = leases.get(key);
        if (lease !== undefined && lease.endsAt > now) {
          if (lease.left > 0) {
            lease.left -= 1;
            return { ok: true };
          }
          if (lease.exhausted) {
            meter.count(platformMetrics.limitedRequests, { limit: "caller" });
            return { ok: false, retryAfterSeconds: Math.ceil((lease.endsAt - now) / 1000) };
          }
        }
        await renewOnce(key);
      }
    },
    async purge() {
      await deletePastWindows(db, clock.now());
    },
  };
}
