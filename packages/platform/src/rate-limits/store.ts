import { type Database, type Executor, deleteInBatches, rateLimits, signInAttempts } from "@purser/db";
import { eq, lt, lte, sql } from "drizzle-orm";

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
  const window = sql`make_interval(secs => ${limit.windowSeconds})`;
  const counting = sql`array(SELECT time FROM unnest(attempts.times) time WHERE time > ${at} - ${window})`;
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
  const counting = (row?.times ?? []).map((time) => time.getTime()).filter((time) => time > since);
  return { counting: counting.toSorted((a, b) => a - b), pending: row?.pending ?? 0 };
}

/** Deletes the keys without attempts that count. */
export async function deleteExpiredAttempts(db: Database, at: Date): Promise<void> {
  await deleteInBatches(db, signInAttempts, lt(signInAttempts.expiresAt, at));
}

function timestamp(instant: Date) {
  return sql`${instant.toISOString()}::timestamptz(3)`;
}

/** The length of a window in which requests count. */
export const windowMs = 60_000;

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
  // The last block may exceed the limit. This process gets only the part below it.
  const left = Math.min(block, limit - (leased.used - block));
  return { endsAt: leased.windowEndsAt.getTime(), left, exhausted: leased.used >= limit };
}

/** Deletes the counts of windows that have ended. */
export async function deletePastWindows(db: Database, at: Date): Promise<void> {
  await deleteInBatches(db, rateLimits, lt(rateLimits.windowEndsAt, at));
}
