import { type Database, deleteInBatches, rateLimits } from "@purser/db";
import { lt, lte, sql } from "drizzle-orm";
import type { Platform } from "../context.ts";
import { platformMetrics } from "../platform-metrics.ts";

/** Whether a request may be served, and if not, after how many seconds one may again. */
export type RateLimitResult = { ok: true } | { ok: false; retryAfterSeconds: number };

export interface RequestLimit {
  /** One request of this key, which names a caller or an address, in the present minute. */
  take(key: string): Promise<RateLimitResult>;
  /** Deletes the counts of minutes that have passed. For a scheduled job. */
  purge(): Promise<void>;
}

/** Permits of one key that this process holds. */
interface Lease {
  endsAt: number;
  left: number;
  /** Nobody gets another permit in this window. */
  exhausted: boolean;
}

const windowMilliseconds = 60_000;

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
  const leases = new Map<string, Lease>();
  const renewals = new Map<string, Promise<void>>();
  let sweptAt = 0;

  async function renew(key: string): Promise<void> {
    const now = clock.now();
    const lease = await leaseBlock(db, { key: `requests:${key}`, now, block, limit });
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
    if (now < sweptAt + windowMilliseconds) return;
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
      await deleteInBatches(db, rateLimits, lt(rateLimits.windowEndsAt, clock.now()));
    },
  };
}

interface LeaseRequest {
  key: string;
  now: Date;
  block: number;
  limit: number;
}

async function leaseBlock(db: Database, { key, now, block, limit }: LeaseRequest): Promise<Lease> {
  const endsAt = (Math.floor(now.getTime() / windowMilliseconds) + 1) * windowMilliseconds;
  const isOver = lte(rateLimits.windowEndsAt, now);
  const [leased] = await db
    .insert(rateLimits)
    .values({ key, windowEndsAt: new Date(endsAt), used: block })
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: {
        used: sql`CASE WHEN ${isOver} THEN excluded.used ELSE ${rateLimits.used} + excluded.used END`,
        windowEndsAt: sql`CASE WHEN ${isOver} THEN excluded.window_ends_at ELSE ${rateLimits.windowEndsAt} END`,
      },
      setWhere: sql`${isOver} OR ${rateLimits.used} < ${limit}`,
    })
    .returning();
  if (leased === undefined) return { endsAt, left: 0, exhausted: true };
  // The last block may reach beyond the limit: that much less of it is ours.
  const left = Math.min(block, limit - (leased.used - block));
  return { endsAt: leased.windowEndsAt.getTime(), left, exhausted: leased.used >= limit };
}
