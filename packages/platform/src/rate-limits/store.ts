import { addMs } from "@purser/core";
import { type Database, type Executor, deleteInBatches, rateLimits, signInAttempts } from "@purser/db";
import { eq, gt, lt, lte, or, sql } from "drizzle-orm";

/**
 * How far ahead of this process's clock another process's may be. An instant that is further ahead comes from before the clock
 * of all was set back, and does not count: otherwise callers would be refused until that instant comes again.
 */
const toleranceMs = 60_000;

export interface AttemptLimit {
  /** The largest number of attempts that count at the same time. */
  limit: number;
  /** How long an attempt counts, in seconds. */
  windowSeconds: number;
}

/** The attempts that count under a key at an instant. */
export interface Counted {
  /** The times of the attempts, in milliseconds since 1970, oldest first. */
  counting: number[];
  /** How many of them are undecided. */
  pending: number;
}

interface NewAttempt {
  key: string;
  at: Date;
  /** Whether the attempt is undecided: it counts until it succeeds. */
  pending: boolean;
}

/** Adds an attempt if the limit leaves room, and returns whether it did. One statement, so the limit is exact. */
export async function insertAttempt(
  db: Executor,
  attempt: NewAttempt,
  limit: AttemptLimit,
): Promise<boolean> {
  const at = timestamp(attempt.at);
  const latest = timestamp(latestAt(attempt.at));
  const window = sql`make_interval(secs => ${limit.windowSeconds})`;
  const counts = sql`time > ${at} - ${window} AND time <= ${latest}`;
  const counting = sql`array(SELECT time FROM unnest(attempts.times) time WHERE ${counts})`;
  const inserted = await db.execute(sql`
    INSERT INTO sign_in_attempts AS attempts (key, times, pending, expires_at)
    VALUES (${attempt.key}, array[${at}], ${attempt.pending ? 1 : 0}, ${at} + ${window})
    ON CONFLICT (key) DO UPDATE SET
      times = ${counting} || excluded.times,
      pending = least(attempts.pending, cardinality(${counting})) + excluded.pending,
      expires_at = excluded.expires_at
    WHERE cardinality(${counting}) < ${limit.limit}
    RETURNING key`);
  return inserted.length === 1;
}

export type AttemptOutcome = "failed" | "succeeded";

/** Decides a pending attempt: a failed one continues to count, a successful one is removed. */
export async function settleAttempt(
  db: Database,
  { key, at }: { key: string; at: Date },
  outcome: AttemptOutcome,
): Promise<void> {
  // Attempts of one millisecond are interchangeable, so removing any of them is correct.
  const index = sql`array_position(times, ${timestamp(at)})`;
  const without = sql`CASE WHEN ${index} IS NULL THEN times ELSE times[:${index} - 1] || times[${index} + 1:] END`;
  await db
    .update(signInAttempts)
    .set({ pending: sql`greatest(pending - 1, 0)`, ...(outcome === "succeeded" && { times: without }) })
    .where(eq(signInAttempts.key, key));
}

export async function readAttempts(
  db: Executor,
  { key, at }: { key: string; at: Date },
  { windowSeconds }: AttemptLimit,
): Promise<Counted> {
  const [row] = await db.select().from(signInAttempts).where(eq(signInAttempts.key, key));
  const since = at.getTime() - windowSeconds * 1000;
  const latest = latestAt(at).getTime();
  const times = (row?.times ?? []).map((time) => time.getTime());
  const counting = times.filter((time) => time > since && time <= latest);
  return { counting: counting.toSorted((a, b) => a - b), pending: row?.pending ?? 0 };
}

/** Deletes the keys without attempts that count. */
export async function deleteExpiredAttempts(db: Database, at: Date): Promise<void> {
  await deleteInBatches(db, signInAttempts, lt(signInAttempts.expiresAt, at));
}

const latestAt = (at: Date) => addMs(at, toleranceMs);

function timestamp(instant: Date) {
  return sql`${instant.toISOString()}::timestamptz(3)`;
}

/** The length of a window in which requests count. */
export const windowMs = 60_000;

/** Whether requests count in the window that ends at this instant. All in milliseconds since 1970. */
export function isPresentWindow(endsAt: number, now: number): boolean {
  return endsAt > now && endsAt <= now + windowMs + toleranceMs;
}

/** The condition of the rows for which {@link isPresentWindow} is false. */
function isOtherWindow(now: Date) {
  const latest = addMs(now, windowMs + toleranceMs);
  return or(lte(rateLimits.windowEndsAt, now), gt(rateLimits.windowEndsAt, latest));
}

/** Permits of one key that this process may spend in the present window. */
export interface PermitLease {
  endsAt: number;
  left: number;
  /** No process gets another permit in this window. */
  exhausted: boolean;
}

interface LeaseRequest {
  key: string;
  now: Date;
  block: number;
  limit: number;
}

/** Leases a block of permits where the limit leaves room: one statement, so exact over all processes. */
export async function leasePermits(
  db: Database,
  { key, now, block, limit }: LeaseRequest,
): Promise<PermitLease> {
  const endsAt = (Math.floor(now.getTime() / windowMs) + 1) * windowMs;
  const isOther = isOtherWindow(now);
  const [leased] = await db
    .insert(rateLimits)
    .values({ key, windowEndsAt: new Date(endsAt), used: block })
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: {
        used: sql`CASE WHEN ${isOther} THEN excluded.used ELSE ${rateLimits.used} + excluded.used END`,
        windowEndsAt: sql`CASE WHEN ${isOther} THEN excluded.window_ends_at ELSE ${rateLimits.windowEndsAt} END`,
      },
      setWhere: sql`${isOther} OR ${rateLimits.used} < ${limit}`,
    })
    .returning();
  if (leased === undefined) return { endsAt, left: 0, exhausted: true };
  // The last block may exceed the limit. This process gets only the part below it.
  const left = Math.min(block, limit - (leased.used - block));
  return { endsAt: leased.windowEndsAt.getTime(), left, exhausted: leased.used >= limit };
}

/** Deletes the counts of other windows. */
export async function deleteOtherWindows(db: Database, at: Date): Promise<void> {
  await deleteInBatches(db, rateLimits, isOtherWindow(at));
}
