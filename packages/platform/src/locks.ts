import { setTimeout as sleep } from "node:timers/promises";
import { Problem } from "@purser/core";
import { type Database, type Transaction, hasNotResponded } from "@purser/db";
import { sql } from "drizzle-orm";
import { createConcurrencyLimit } from "./concurrency-limit.ts";

export interface LockName {
  /** What is locked, unique in the service. */
  name: string;
  /** The provider that is called under the lock. A provider that hangs holds only its share of the connections. */
  provider: string;
}

/** Locks for work that calls a provider, across all processes. */
export interface ProviderLocks {
  /**
   * Runs `work` in a transaction that holds the lock, while no other process does. Throws UNAVAILABLE if the lock is not
   * free in time.
   */
  run<Result>(lock: LockName, work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
}

interface LockOptions {
  /** The largest number of connections that the locks of one provider hold in this process. Default 4. */
  maxPerProvider?: number;
  /** How long a caller waits for a lock, in milliseconds. Default 20,000: other holders may be ahead. */
  maxWaitMs?: number;
}

/**
 * Creates locks on a pool of their own. A caller that waits holds no connection: callers of this process wait in memory,
 * in order of arrival, and a lock that another process holds is tried again after a pause. If the holder got no response from the
 * database, those who wait for it have waited long enough: they fail with it.
 */
export function createProviderLocks(
  lockDb: Database,
  { maxPerProvider = 4, maxWaitMs = 20_000 }: LockOptions = {},
): ProviderLocks {
  const oneAtATime = createConcurrencyLimit(1, { failsWaiting: hasNotResponded });
  const providerShare = createConcurrencyLimit(maxPerProvider, { failsWaiting: hasNotResponded });
  return {
    run({ name, provider }, work) {
      const deadline = performance.now() + maxWaitMs;
      const timeLeftMs = () => Math.max(0, deadline - performance.now());
      const runLocked = async () => {
        for (;;) {
          const attempt = await providerShare(provider, () => tryLocked(lockDb, name, work), timeLeftMs());
          if (attempt.locked) return attempt.result;
          if (timeLeftMs() === 0) throw new Problem("UNAVAILABLE", { retryAfterSeconds: 1 });
          await sleep(50 + Math.random() * 100);
        }
      };
      return oneAtATime(name, runLocked, maxWaitMs);
    },
  };
}

/**
 * Confirms between two calls of a provider that the lock is still held, and throws if its transaction has ended. To PostgreSQL,
 * the transaction is idle during a call. Two calls in a row may take longer than it lets a transaction be idle.
 */
export async function confirmLock(transaction: Transaction): Promise<void> {
  await transaction.execute(sql`SELECT 1`);
}

/** Runs `work` if no other process holds the lock. */
function tryLocked<Result>(
  lockDb: Database,
  name: string,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<{ locked: true; result: Result } | { locked: false }> {
  return lockDb.transaction(async (transaction) => {
    const [row] = await transaction.execute<{ locked: boolean }>(
      sql`SELECT pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) AS locked`,
    );
    return row!.locked ? { locked: true, result: await work(transaction) } : { locked: false };
  });
}
