// @module-tag slow
import { setTimeout as sleep } from "node:timers/promises";
import type { Issuers } from "@purser/cards/ports";
import { accounts, cardTransactions, cards } from "@purser/db";
import { findUserIdByEmail } from "@purser/identity/users";
import { listSomeOrganizations } from "@purser/organizations";
import { type TestPurser, countWaitingForLocks, createTestPurser } from "@purser/testing";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { demoCards } from "./cards.ts";
import { demoPeople, ensureDemo, seedDemo } from "./index.ts";

let purser: TestPurser;

beforeAll(async () => {
  purser = await createTestPurser();
});
afterAll(() => purser.close());

async function asDemoOwner() {
  const [person] = demoPeople;
  const userId = (await findUserIdByEmail(purser.db, person.email))!;
  const caller = { ...person, userId, emailVerified: true, isAdministrator: false };
  const [organizationId] = await listSomeOrganizations(purser.db, 1);
  return { owner: purser.as({ ...caller, credential: "bearer" }), organizationId: organizationId! };
}

describe("the demo data", () => {
  it("stays in the sandbox, even where a real issuer is configured", async () => {
    const { platform } = purser;
    const at = () => Promise.reject(new Error("The process ends here"));
    const interrupted = { ...platform, banks: { ...platform.banks, at } };
    await expect(seedDemo(interrupted, purser.auth)).rejects.toThrow("The process ends here");

    const sandbox = await platform.issuers.at("sandbox");
    const called: string[] = [];
    const issuers: Issuers = {
      configured: ["stripe", "sandbox"],
      at: async (name) => (called.push(name), sandbox),
    };
    expect(await seedDemo({ ...platform, issuers }, purser.auth)).toBe(true);
    expect(called).not.toContain("stripe");
    const issued = await purser.db.select({ issuer: cards.issuer }).from(cards);
    expect(new Set(issued.map(({ issuer }) => issuer))).toEqual(new Set(["sandbox"]));
  });

  it("has purchases of some months, and a card that is near its limit", async () => {
    const { owner, organizationId } = await asDemoOwner();
    const purchases = await owner.cards.transactions.list({ organizationId });
    const months = new Set(purchases.map(({ createdAt }) => createdAt.toISOString().slice(0, 7)));
    expect(months.size).toBeGreaterThan(1);
    const statuses = new Set(purchases.map(({ status }) => status));
    expect(statuses).toEqual(new Set(["COMPLETED", "DECLINED", "PENDING"]));
    const issued = await owner.cards.list({ organizationId });
    expect(issued.some(({ spending: { used, limit } }) => used > limit! * 0.8)).toBe(true);
  });

  it("sets up once what an owner sets up, although the first start was interrupted", async () => {
    const { owner, organizationId } = await asDemoOwner();
    expect(await owner.keys.list({ organizationId })).toHaveLength(1);
    expect(await owner.organizations.invitations.list({ organizationId })).toHaveLength(1);
    const endpoints = await owner.webhookEndpoints.list({ organizationId });
    const { baseUrl } = purser.platform.settings;
    expect(endpoints.map(({ url }) => url)).toEqual([`${baseUrl}/dev/webhooks`]);
    await purser.drain();
    const subscription = await owner.organizations.subscription.get({ organizationId });
    expect(subscription).toMatchObject({ status: "ACTIVE" });
  });

  it(
    "is complete although a decision on a purchase takes longer than a card network waits",
    { tags: ["slow"] },
    async () => {
      const busy = await createTestPurser();
      onTestFinished(() => busy.close());
      const [isLocked, isSlow] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const locking = busy.db.transaction(async (transaction) => {
        await transaction.execute(sql`LOCK TABLE card_counters IN ACCESS EXCLUSIVE MODE`);
        isLocked.resolve();
        await isSlow.promise;
      });
      await isLocked.promise;
      const seeding = seedDemo({ ...busy.platform, decisionTimeoutMs: undefined }, busy.auth);
      await expect.poll(() => countWaitingForLocks(busy.db)).toBeGreaterThan(0);
      await sleep(2000);
      isSlow.resolve();
      await locking;
      expect(await seeding).toBe(true);
      const purchases = await busy.db.select({ status: cardTransactions.status }).from(cardTransactions);
      expect(purchases).toHaveLength(demoCards.flatMap((card) => card.purchases).length);
    },
  );

  it("keeps production from starting, until its users have passwords that are not public", async () => {
    const { db, auth, platform } = purser;
    const settings = { ...platform.settings, production: true };
    const start = () => ensureDemo({ platform: { ...platform, settings }, auth });
    await expect(start()).rejects.toThrow("admin@demo.example");
    const { id } = await auth.createUser({ email: "sam@example.com", name: "Sam", password: "not public" });
    const [changed] = await db.select().from(accounts).where(eq(accounts.userId, id));
    await db.update(accounts).set({ password: changed!.password });
    expect(await start()).toBe(false);
  });
});
