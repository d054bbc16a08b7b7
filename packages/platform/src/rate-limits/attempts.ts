import { setTimeout as sleep } from "node:timers/promises";
import { Problem, errorText } from "@purser/core";
import { type Executor, hasNotResponded } from "@purser/db";
import { createConcurrencyLimit } from "../concurrency-limit.ts";
import type { Platform } from "../context.ts";
import { leaseMs } from "../leases.ts";
import type { Meter } from "../metrics.ts";
import { platformMetrics } from "../platform-metrics.ts";
import { retryWhileUnavailable } from "../retry.ts";
import {
  type AttemptLimit,
  type AttemptOutcome,
  type Counted,
  deleteExpiredAttempts,
  insertAttempt,
  readAttempts,
  settleAttempt,
} from "./store.ts";

/** An attempt in progress. It counts until `settle` reports a success. */
export interface Attempt {
  /**
   * Reports the outcome, later if the database is unavailable. It never throws: what the attempt was for is done, and its caller
   * must learn that.
   */
  settle(outcome: AttemptOutcome): Promise<void>;
}

interface AttemptsOptions {
  /** How long an attempt waits for undecided attempts before it, in milliseconds. Default 15,000. */
  maxWaitMs?: number;
}

const pollMs = 40;

/**
 * Limits attempts per key in a sliding window, exactly: all processes share one row per key, and one statement decides.
 * Throws RATE_LIMITED with the seconds until the next attempt is allowed.
 */
export function createAttempts(
  platform: Pick<Platform, "db" | "clock" | "meter" | "logger" | "shutdownSignal">,
  options: AttemptsOptions = {},
) {
  const { db, clock, meter } = platform;
  const { maxWaitMs = 15_000 } = options;
  // Only one waiting attempt per key polls the database.
  const oneAtATime = createConcurrencyLimit(1, { failsWaiting: hasNotResponded });

  return {
    /** Takes one attempt that counts however it ends. */
    take: (key: string, limit: AttemptLimit) => consumeAttempt({ db, clock, meter }, key, limit),

    /**
     * Begins an attempt that counts unless it succeeds. If undecided attempts fill the limit, it waits for their
     * outcome: many concurrent successes all pass, and many concurrent failures never exceed the limit.
     */
    begin(key: string, limit: AttemptLimit): Promise<Attempt> {
      const deadline = performance.now() + maxWaitMs;
      return oneAtATime(key, async () => {
        for (;;) {
          const at = clock.now();
          if (await insertAttempt(db, { key, at, pending: true }, limit)) {
            return { settle: (outcome) => settle(platform, { key, at }, outcome) };
          }
          const counted = await readAttempts(db, { key, at }, limit);
          const decided = counted.counting.length - counted.pending;
          if (decided >= limit.limit || performance.now() > deadline) refuse(meter, key, counted, limit, at);
          await sleep(pollMs);
        }
      });
    },

    /** Deletes the keys without attempts that count. */
    purge: () => deleteExpiredAttempts(db, clock.now()),
  };
}

async function settle(
  platform: Pick<Platform, "db" | "logger" | "shutdownSignal">,
  attempt: { key: string; at: Date },
  outcome: AttemptOutcome,
): Promise<void> {
  const report = () => settleAttempt(platform.db, attempt, outcome);
  try {
    await report();
  } catch {
    // Twice, it may take another attempt for this one, and decide that it failed. So the limit still holds.
    void retryWhileUnavailable(platform, report, { timeoutMs: leaseMs }).catch((error: unknown) =>
      platform.logger.warn({ reason: errorText(error) }, "An attempt counts until its window ends"),
    );
  }
}

/**
 * Takes one attempt that counts. With a transaction as `db`, it counts when the transaction commits. Throws RATE_LIMITED
 * with the seconds until the next attempt is allowed.
 */
export async function consumeAttempt(
  { db, clock, meter }: Pick<Platform, "clock" | "meter"> & { db: Executor },
  key: string,
  limit: AttemptLimit,
): Promise<void> {
  const at = clock.now();
  if (await insertAttempt(db, { key, at, pending: false }, limit)) return;
  refuse(meter, key, await readAttempts(db, { key, at }, limit), limit, at);
}

function refuse(meter: Meter, key: string, counted: Counted, limit: AttemptLimit, at: Date): never {
  // The key's prefix names the limit. The rest names an account or an address, which a metric must not contain.
  meter.count(platformMetrics.limitedRequests, { limit: key.split(":", 1)[0]! });
  throw tooMany(counted, limit, at);
}

export type Attempts = ReturnType<typeof createAttempts>;

function tooMany({ counting }: Counted, { limit, windowSeconds }: AttemptLimit, at: Date): Problem {
  // The next attempt is allowed when only limit − 1 of the current attempts still count.
  const oldest = counting.at(-limit) ?? at.getTime();
  const milliseconds = oldest + windowSeconds * 1000 - at.getTime();
  return new Problem("RATE_LIMITED", { retryAfterSeconds: Math.max(1, Math.ceil(milliseconds / 1000)) });
}
