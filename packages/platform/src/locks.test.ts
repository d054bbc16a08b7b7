import { Problem } from "@purser/core";
import { type TestPurser, createTestPurser } from "@purser/testing";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createProviderLocks } from "./locks.ts";

let purser: TestPurser;
beforeAll(async () => {
  purser = await createTestPurser();
});
afterAll(() => purser.close());

const lockDb = () => purser.platform.lockDb;
/** Returns once everything that can happen without the database has happened. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("locks.run", () => {
  it("runs the holders of one lock one after the other, in all processes", async () => {
    const processes = [createProviderLocks(lockDb()), createProviderLocks(lockDb())];
    let running = 0;
    let most = 0;
    const holders = Array.from({ length: 12 }, (_, index) =>
      processes[index % 2]!.run({ name: "one", provider: "acme" }, async (transaction) => {
        running += 1;
        most = Math.max(most, running);
        await transaction.execute(sql`SELECT pg_sleep(0.005)`);
        running -= 1;
      }),
    );
    await Promise.all(holders);
    expect(most).toBe(1);
  });

  it("holds no connection while it waits for the lock", async () => {
    const locks = createProviderLocks(lockDb());
    const release = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const hold = () => {
      started.resolve();
      return release.promise;
    };
    const waiting = Array.from({ length: 10 }, () => locks.run({ name: "busy", provider: "acme" }, hold));
    await started.promise;
    await settled();
    expect(lockDb().use).toMatchObject({ inUse: 1, waiting: 0 });
    release.resolve();
    await Promise.all(waiting);
  });

  it("leaves connections for other providers while one hangs", async () => {
    const locks = createProviderLocks(lockDb());
    const release = Promise.withResolvers<void>();
    const hanging = Array.from({ length: 10 }, (_, index) =>
      locks.run({ name: `hanging ${index}`, provider: "hanging" }, () => release.promise),
    );
    expect(await locks.run({ name: "free", provider: "acme" }, async () => "done")).toBe("done");
    expect(lockDb().use).toMatchObject({ inUse: 4, waiting: 0 });
    release.resolve();
    await Promise.all(hanging);
  });

  it("gives up on a lock that another process holds, and takes it afterwards", async () => {
    const other = createProviderLocks(lockDb());
    const release = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const lock = { name: "held", provider: "acme" };
    const held = other.run(lock, () => {
      started.resolve();
      return release.promise;
    });
    await started.promise;
    const locks = createProviderLocks(lockDb(), { maxWaitMs: 20 });
    await expect(locks.run(lock, async () => "done")).rejects.toMatchObject({ code: "UNAVAILABLE" });
    release.resolve();
    await held;
    expect(await locks.run(lock, async () => "done")).toBe("done");
  });

  it("frees the lock when the work fails", async () => {
    const locks = createProviderLocks(lockDb());
    const lock = { name: "failing", provider: "acme" };
    await expect(locks.run(lock, () => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
    expect(await locks.run(lock, async () => "done")).toBe("done");
  });

  describe("when the holder fails", () => {
    const failing = (code: string) => Object.assign(new Error(code), { code });

    it.each([
      { who: "of this lock", names: ["one", "one"], maxPerProvider: 4 },
      { who: "of this provider", names: ["one", "another"], maxPerProvider: 1 },
    ])("a silent database ends the wait of callers $who", async ({ names, maxPerProvider }) => {
      const waited = await whileHolderFails(failing("RESPONSE_TIMEOUT"), names, maxPerProvider);
      expect(waited).toMatchObject({ status: "rejected", reason: { code: "UNAVAILABLE" } });
    });

    it.each([
      ["a provider that cannot be reached", new Problem("PROVIDER_ERROR", { cause: failing("ECONNRESET") })],
      ["a full pool", failing("POOL_TIMEOUT")],
      ["an ended connection", failing("CONNECTION_CLOSED")],
    ])("%s does not end it", async (_what, failure) => {
      const waited = await whileHolderFails(failure, ["one", "one"], 4);
      expect(waited).toEqual({ status: "fulfilled", value: "done" });
    });
  });
});

/** Returns how the wait for a lock ends whose holder, or another one at the same provider, fails. */
async function whileHolderFails(failure: Error, [held, wanted]: string[], maxPerProvider: number) {
  const locks = createProviderLocks(lockDb(), { maxPerProvider });
  const started = Promise.withResolvers<void>();
  const work = Promise.withResolvers<never>();
  const holding = locks.run({ name: held!, provider: "acme" }, () => {
    started.resolve();
    return work.promise;
  });
  await started.promise;
  const waiting = locks.run({ name: wanted!, provider: "acme" }, async () => "done");
  work.reject(failure);
  const [, waited] = await Promise.allSettled([holding, waiting]);
  return waited;
}
