import { isIPv6 } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Problem } from "@purser/core";
import { signInAttempts } from "@purser/db";
import { eq, lt, sql } from "drizzle-orm";
import type { Platform } from "../context.ts";

export interface AttemptLimit {
  /** Attempts that may count at the same time. */
  limit: number;
  /** How long an attempt counts, in seconds. */
  windowSeconds: number;
}

/** An attempt under way. It counts until it is told to have succeeded. */
export interface Attempt {
  settle(outcome: "failed" | "succeeded"): Promise<void>;
}

/** How long an attempt waits for the ones before it to be decided, in milliseconds: several password checks long. */
const longestWait = 3000;
const pause = 40;

/**
 * Counts attempts of the last so many seconds under a key, exactly: all processes share one row per key, and
 * one statement decides. Throws RATE_LIMITED, with the time after which the next one may be made.
 */
export function createAttempts({ db, clock }: Pick<Platform, "db" | "clock">) {
  /** One attempt that counts however it ends. */
  async function take(key: string, limit: AttemptLimit): Promise<void> {
    const now = clock.now();
    if (!(await count(key, limit, now, 0))) await refuse(key, limit, now);
  }

  /**
   * One attempt that counts unless it succeeds. Where only undecided attempts stand in its way it waits for
   * them, so that many good ones at once all pass and many bad ones never exceed the limit.
   */
  async function begin(key: string, limit: AttemptLimit): Promise<Attempt> {
    const givenUp = performance.now() + longestWait;
    for (;;) {
      const now = clock.now();
      if (await count(key, limit, now, 1)) return { settle: (outcome) => settle(key, now, outcome) };
      const { counting, pending } = await read(key, limit, now);
      if (counting.length - pending >= limit.limit || performance.now() > givenUp)
        await refuse(key, limit, now);
      await sleep(pause);
    }
  }

  async function count(key: string, { limit, windowSeconds }: AttemptLimit, now: Date, pending: number) {
    const present = timestamp(now);
    const counting = sql`array(
      SELECT at FROM unnest(attempts.times) at WHERE at > ${present} - make_interval(secs => ${windowSeconds})
    )`;
    const counted = await db.execute(sql`
      INSERT INTO sign_in_attempts AS attempts (key, times, pending, expires_at)
      VALUES (${key}, array[${present}], ${pending}, ${present} + make_interval(secs => ${windowSeconds}))
      ON CONFLICT (key) DO UPDATE SET
        times = ${counting} || excluded.times,
        pending = least(attempts.pending, cardinality(${counting})) + excluded.pending,
        expires_at = excluded.expires_at
      WHERE cardinality(${counting}) < ${limit}
      RETURNING key`);
    return counted.length === 1;
  }

  async function settle(key: string, at: Date, outcome: "failed" | "succeeded"): Promise<void> {
    // Several attempts of one millisecond are alike, so any one of them may be the one that is taken out.
    const times = sql`CASE WHEN ${outcome === "succeeded"} AND array_position(times, ${timestamp(at)}) IS NOT NULL
      THEN times[:array_position(times, ${timestamp(at)}) - 1] || times[array_position(times, ${timestamp(at)}) + 1:]
      ELSE times END`;
    await db
      .update(signInAttempts)
      .set({ times, pending: sql`greatest(pending - 1, 0)` })
      .where(eq(signInAttempts.key, key));
  }

  async function read(key: string, { windowSeconds }: AttemptLimit, now: Date) {
    const [row] = await db.select().from(signInAttempts).where(eq(signInAttempts.key, key));
    const since = now.getTime() - windowSeconds * 1000;
    const counting = (row?.times ?? []).map((at) => at.getTime()).filter((at) => at > since);
    return { counting: counting.toSorted((a, b) => a - b), pending: row?.pending ?? 0 };
  }

  async function refuse(key: string, limit: AttemptLimit, now: Date): Promise<never> {
    const { counting } = await read(key, limit, now);
    // The next attempt may be made when only limit − 1 of those that count now still do.
    const oldest = counting.at(-limit.limit) ?? now.getTime();
    const milliseconds = oldest + limit.windowSeconds * 1000 - now.getTime();
    throw new Problem("RATE_LIMITED", { retryAfterSeconds: Math.max(1, Math.ceil(milliseconds / 1000)) });
  }

  /** Deletes what no longer counts. */
  async function purge(): Promise<void> {
    await db.delete(signInAttempts).where(lt(signInAttempts.expiresAt, clock.now()));
  }

  return { take, begin, purge };
}

export type Attempts = ReturnType<typeof createAttempts>;

/**
 * Where an address belongs to: an IPv4 address stands for itself, and an IPv6 one for its /64, which is what
 * one customer is given at the least.
 */
export function networkOf(address: string): string {
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [head = "", tail = ""] = address.replace(/%.*$/, "").split("::");
  const left = head.split(":").filter(Boolean);
  const right = tail.split(":").filter(Boolean);
  // An IPv4 address at the end stands for two groups.
  const given = left.length + right.length + (tail.includes(".") ? 1 : 0);
  const groups = [...left, ...Array<string>(Math.max(0, 8 - given)).fill("0"), ...right].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
}

function timestamp(instant: Date) {
  return sql`${instant.toISOString()}::timestamptz(3)`;
}
