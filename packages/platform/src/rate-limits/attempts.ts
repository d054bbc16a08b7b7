import { setTimeout as sleep } from "node:timers/promises";
import { Problem } from "@purser/core";
import type { Executor } from "@purser/db";
import type { Platform } from "../context.ts";
import type { Meter } from "../metrics.ts";
import { platformMetrics } from "../platform-metrics.ts";
import {
  type AttemptLimit,
  type Counted,
  deleteExpiredAttempts,
  insertAttempt,
  readAttempts,
  settleAttempt,
} from "./store.ts";

/** An attempt under way. It counts until it is told to have succeeded. */
export interface Attempt {
  settle(outcome: "failed" | "succeeded"): Promise<void>;
}

interface AttemptsOptions {
  /** How long an attempt waits for the ones before it to be decided, in milliseconds. Default 15,000. */
  maxWaitMs?: number;
}

const pause = 40;

/**
 * Counts attempts of the last so many seconds under a key, exactly: all processes share one row per key, and
 * one statement decides. Throws RATE_LIMITED, with the time after which the next one may be made.
 */
export function createAttempts(
  { db, clock, meter }: Pick<Platform, "db" | "clock" | "meter">,
  options: AttemptsOptions = {},
) {
  const { maxWaitMs = 15_000 } = options;
  const runQueued = createKeyedQueue();

  return {
    /** One attempt that counts however it ends. */
    take: (key: string, limit: AttemptLimit) => consumeAttempt({ db, clock, meter }, key, limit),

    /**
     * One attempt that counts unless it succeeds. Where only undecided attempts stand in its way it waits for
     * them, so that many good ones at once all pass and many bad ones never exceed the limit.
     */
    begin(key: string, limit: AttemptLimit): Promise<Attempt> {
      const givenUp = performance.now() + maxWaitMs;
      return runQueued(key, async () => {
        for (;;) {
          const at = clock.now();
          if (await insertAttempt(db, { key, at, pending: true }, limit)) {
            return { settle: (outcome) => settleAttempt(db, { key, at }, outcome) };
          }
          const counted = await readAttempts(db, { key, at }, limit);
          const decided = counted.counting.length - counted.pending;
          if (decided >= limit.limit || performance.now() > givenUp) refuse(meter, key, counted, limit, at);
          await sleep(pause);
        }
      });
    },

    /** Deletes what no longer counts. */
    purge: () => deleteExpiredAttempts(db, clock.now()),
  };
}

/**
 * One attempt that counts, of a transaction if and when that commits. Throws RATE_LIMITED, with the time after which
 * the next one may be made.
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
  // What stands before the colon says what is limited; the rest says whom it concerns.
  meter.count(platformMetrics.limitedRequests, { limit: key.split(":", 1)[0]! });
  throw tooMany(counted, limit, at);
}

export type Attempts = ReturnType<typeof createAttempts>;

/** Does one thing after the other per key: of those who wait in this process, only the first asks the database. */
function createKeyedQueue() {
  const turns = new Map<string, Promise<unknown>>();
  return async <Output>(key: string, work: () => Promise<Output>): Promise<Output> => {
    const turn = (turns.get(key) ?? Promise.resolve()).then(work, work);
    turns.set(key, turn);
    try {
      return await turn;
    } finally {
      if (turns.get(key) === turn) turns.delete(key);
    }
  };
}

function tooMany({ counting }: Counted, { limit, windowSeconds }: AttemptLimit, at: Date): Problem {
  // The next attempt may be made when only limit − 1 of those that count now still do.
  const oldest = counting.at(-limit) ?? at.getTime();
  const milliseconds = oldest + windowSeconds * 1000 - at.getTime();
  return new Problem("RATE_LIMITED", { retryAfterSeconds: Math.max(1, Math.ceil(milliseconds / 1000)) });
}
