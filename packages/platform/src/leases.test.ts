import { idempotencyKeys } from "@purser/db";
import { createTestPurser } from "@purser/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { releaseLapsedKeys } from "./idempotency/index.ts";
import { leaseEnd, leaseMs, whileRenewing } from "./leases.ts";

describe("whileRenewing", () => {
  it("renews until the work ends, and again after a renewal that failed", async () => {
    const logged: string[] = [];
    const log = (_: object, message: string) => void logged.push(message);
    const logger = { debug: log, info: log, warn: log, error: log };
    const done = Promise.withResolvers<string>();
    let renewals = 0;
    const renew = async () => {
      renewals += 1;
      if (renewals === 1) throw new Error("The database is away");
      if (renewals === 3) done.resolve("done");
    };
    expect(await whileRenewing({ logger }, renew, () => done.promise, 5)).toBe("done");
    expect(renewals).toBe(3);
    expect(logged).toEqual(["A lease was not renewed"]);
  });
});

describe("releaseLapsedKeys", () => {
  it("releases the key of a process that died before the clock stepped back, 15 seconds later", async () => {
    const purser = await createTestPurser();
    onTestFinished(() => purser.close());
    const { db, clock } = purser;
    const before = clock.now();
    const key = { userId: "user_1", procedure: "banking.connections.connect", fingerprint: "x".repeat(43) };
    await db
      .insert(idempotencyKeys)
      .values({ ...key, key: "dead", leasedUntil: leaseEnd(before), createdAt: before });
    clock.set(new Date(before.getTime() - 60 * 60 * 1000));
    await db
      .insert(idempotencyKeys)
      .values({ ...key, key: "living", leasedUntil: leaseEnd(clock.now()), createdAt: clock.now() });
    const left = async () => (await db.select().from(idempotencyKeys)).map((row) => row.key);
    await releaseLapsedKeys(purser.platform);
    clock.advance(leaseMs);
    await releaseLapsedKeys(purser.platform);
    expect((await left()).toSorted()).toEqual(["dead", "living"]);
    clock.advance(1);
    await releaseLapsedKeys(purser.platform);
    expect(await left()).toEqual([]);
  });
});
