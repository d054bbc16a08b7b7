import { minute } from "@purser/core/testing";
import { signInAttempts } from "@purser/db";
import {
  type TestPurser,
  createTestPurser,
  openOtherProcess,
  problemOf,
  startTcpProxy,
} from "@purser/testing";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type Attempt, createAttempts } from "./attempts.ts";

let purser: TestPurser;
beforeAll(async () => {
  purser = await createTestPurser();
});
afterAll(() => purser.close());

const limit = { limit: 10, windowSeconds: 900 };
const attempts = (maxWaitMs = 1000) => createAttempts(purser.platform, { maxWaitMs });

/** Begins and settles an attempt. Returns the seconds until the next one if the limit is reached. */
async function attempt(
  key: string,
  outcome: "failed" | "succeeded",
  maxWaitMs?: number,
): Promise<"made" | number> {
  try {
    const started = await attempts(maxWaitMs).begin(key, limit);
    await started.settle(outcome);
    return "made";
  } catch (error) {
    return problemOf(error).retryAfterSeconds ?? -1;
  }
}

const made = (results: unknown[]) => results.filter((result) => result === "made").length;
const many = <Output>(count: number, run: () => Promise<Output>) =>
  Promise.all(Array.from({ length: count }, () => run()));

describe("attempts.begin", () => {
  it("allows exactly the limit of sequential failures", async () => {
    for (let failure = 0; failure < 10; failure += 1) expect(await attempt("one", "failed")).toBe("made");
    expect(await attempt("one", "failed")).toBe(900);
    expect(await attempt("one", "succeeded")).toBe(900);
  });

  it("allows exactly the limit of 100 concurrent failures in 100 processes", async () => {
    const results = await many(100, () => attempt("parallel", "failed"));
    expect(made(results)).toBe(10);
    expect(results.filter((result) => result === 900)).toHaveLength(90);
  });

  it("does not count 30 concurrent successes in one process", async () => {
    const waiting = createAttempts(purser.platform);
    const good = async () => (await waiting.begin("good", limit)).settle("succeeded");
    await many(30, good);
    expect(made(await many(30, () => attempt("good", "failed")))).toBe(10);
  });

  it("counts in a sliding window of 15 minutes", async () => {
    expect(await attempt("sliding", "failed")).toBe("made");
    purser.clock.advance(14 * minute);
    expect(made(await many(20, () => attempt("sliding", "failed")))).toBe(9);
    expect(await attempt("sliding", "failed")).toBe(60);
    purser.clock.advance(minute - 1);
    expect(await attempt("sliding", "failed")).toBe(1);
    purser.clock.advance(1);
    // The first one no longer counts, the nine others still do.
    expect(made(await many(20, () => attempt("sliding", "failed")))).toBe(1);
    expect(await attempt("sliding", "failed")).toBe(14 * 60);
  });

  it("counts an attempt that is never settled until it leaves the window", async () => {
    const open: Attempt[] = await many(9, () => attempts().begin("crashed", limit));
    expect(open).toHaveLength(9);
    expect(await attempt("crashed", "failed")).toBe("made");
    expect(await attempt("crashed", "succeeded")).toBe(900);
    purser.clock.advance(15 * minute);
    expect(made(await many(30, () => attempt("crashed", "succeeded", 60_000)))).toBe(30);
  });

  it("settles later if the database is unavailable, and lets the caller go on", async () => {
    const proxy = await startTcpProxy(purser.platform.settings.databaseUrl!);
    onTestFinished(() => proxy.close());
    const other = await openOtherProcess(purser, { settings: { databaseUrl: proxy.url } });
    onTestFinished(() => other.close());
    const started = await createAttempts(other.platform).begin("lost", limit);
    proxy.refuse();
    await started.settle("succeeded");
    const counted = async () => {
      const [row] = await purser.db.select().from(signInAttempts).where(eq(signInAttempts.key, "lost"));
      return row?.times.length;
    };
    expect(await counted()).toBe(1);
    proxy.restore();
    await expect.poll(counted).toBe(0);
  });

  it("does not count the attempts from before the clock was set back", async () => {
    purser.clock.advance(30 * minute);
    expect(made(await many(11, () => attempt("set back", "failed")))).toBe(10);
    purser.clock.advance(-10 * minute);
    expect(made(await many(20, () => attempt("set back", "failed")))).toBe(10);
    expect(await attempt("set back", "failed")).toBe(900);
    purser.clock.advance(10 * minute);
  });

  it("keeps keys apart", async () => {
    await many(10, () => attempt("mine", "failed"));
    expect(await attempt("yours", "failed")).toBe("made");
  });
});

describe("attempts.take", () => {
  const perMinute = { limit: 60, windowSeconds: 60 };
  const take = (key: string) =>
    attempts()
      .take(key, perMinute)
      .then(() => "made" as const)
      .catch((error: unknown) => problemOf(error));

  it("counts 100 concurrent attempts exactly", async () => {
    const results = await many(100, () => take("address"));
    expect(made(results)).toBe(60);
    expect(results.find((result) => result !== "made")).toMatchObject({
      code: "RATE_LIMITED",
      retryAfterSeconds: 60,
    });
    purser.clock.advance(minute);
    expect(await take("address")).toBe("made");
  });
});

describe("attempts.purge", () => {
  it("deletes only the keys without attempts that count", async () => {
    await attempt("old", "failed");
    purser.clock.advance(10 * minute);
    await attempt("recent", "failed");
    purser.clock.advance(5 * minute + 1);
    await attempts().purge();
    const keys = (await purser.db.select().from(signInAttempts)).map(({ key }) => key);
    expect(keys).toContain("recent");
    expect(keys).not.toContain("old");
  });
});
