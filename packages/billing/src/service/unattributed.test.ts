import { day, hour, minute } from "@purser/core/testing";
import { subscriptions } from "@purser/db";
import { type Meter, noopMeter } from "@purser/platform";
import { type TestPurser, createTestPurser, handlerOf } from "@purser/testing";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { billingJobs } from "../job-definitions.ts";
import type { PaymentProvider, SubscriptionState } from "../ports.ts";
import { putUnattributed } from "../store.ts";
import { unattributedIds } from "../testing/unattributed.ts";
import { startSandboxFake } from "../testing/sandbox-fake.ts";
import { synchronizeSubscription } from "./synchronize.ts";

let purser: TestPurser;
let provider: PaymentProvider;
/** The subscriptions at the provider. */
let states: Map<string, SubscriptionState>;
let fetched: string[];
/** The counted metrics. */
const counted: string[] = [];
const meter: Meter = { ...noopMeter, count: ({ name }) => void counted.push(name) };

beforeAll(async () => {
  const payments = { configured: ["local"] as const, at: async () => provider };
  purser = await createTestPurser({ payments, meter });
  const fake = await startSandboxFake(purser.platform);
  provider = {
    ...fake.provider,
    recognizes: () => true,
    subscription: async (id) => (fetched.push(id), states.get(id) ?? null),
    subscriptionsSince: async () =>
      [...states.values()].map(({ id, organizationId }) => ({ subscriptionId: id, organizationId })),
  };
});
afterAll(() => purser.close());
beforeEach(async () => {
  states = new Map();
  fetched = [];
  purser.clock.advance(30 * day);
  counted.length = 0;
  await purser.db.delete(subscriptions);
});

/** A subscription at the provider, bought at an instant. */
function buy(id: string, fields: Partial<SubscriptionState> = {}): void {
  const currentPeriodStart = purser.clock.now();
  states.set(id, {
    id,
    customerId: "customer",
    organizationId: null,
    status: "ACTIVE",
    rawStatus: "active",
    planId: "plan",
    variantId: "variant",
    currentPeriodStart,
    currentPeriodEnd: new Date(currentPeriodStart.getTime() + 365 * day),
    isTrial: false,
    canceledAt: null,
    cancelAtPeriodEnd: false,
    cancelAt: null,
    ...fields,
  });
}

/** Returns the ids that were fetched. */
async function reconcile(): Promise<string[]> {
  fetched = [];
  await handlerOf(purser.handlers, billingJobs.reconcile)(null, { id: "job", attempt: 1, last: true });
  await purser.drain();
  return fetched;
}

const kept = () => unattributedIds(purser.db);
/** Assigns a subscription of the provider to a new organization, as an administrator. */
async function assign(id: string, entered: Partial<Pick<SubscriptionState, "currentPeriodStart">> = {}) {
  const owner = await purser.person();
  const teamId = await purser.organization(owner);
  const administrator = await purser.person({ isAdministrator: true });
  const { currentPeriodStart, currentPeriodEnd } = { ...states.get(id)!, ...entered };
  await purser.as(administrator).billing.sync({
    id,
    teamId,
    customerId: "customer",
    status: "ACTIVE",
    planId: "plan",
    variantId: "variant",
    currentPeriodStart,
    currentPeriodEnd,
    canceledAt: null,
    cancelAtPeriodEnd: false,
  });
  return { owner, teamId };
}

const alerts = () => counted.filter((name) => name === "purser_billing_unattributed_total").length;

describe("a paid subscription that belongs to no organization", () => {
  it("is kept and counted once, and fetched daily from then on", async () => {
    buy("nobody");
    buy("elsewhere", { organizationId: purser.unknownId("org") });
    purser.clock.advance(hour);
    expect((await reconcile()).toSorted()).toEqual(["elsewhere", "nobody"]);
    expect([(await kept()).toSorted(), alerts()]).toEqual([["elsewhere", "nobody"], 2]);
    expect(await reconcile()).toEqual([]);
    purser.clock.advance(day);
    expect((await reconcile()).toSorted()).toEqual(["elsewhere", "nobody"]);
    expect([await kept(), alerts()]).toEqual([expect.any(Array), 2]);
    for (const id of states.keys()) buy(id, { status: "CANCELED", rawStatus: "canceled" });
    purser.clock.advance(day);
    await reconcile();
    expect(await kept()).toEqual([]);
  });

  it("is not reported while a webhook may still name its organization", async () => {
    buy("early");
    purser.clock.advance(10 * minute);
    expect(await reconcile()).toContain("early");
    expect([await kept(), alerts()]).toEqual([[], 0]);
    purser.clock.advance(10 * minute);
    await reconcile();
    expect([await kept(), alerts()]).toEqual([["early"], 1]);
    states.delete("early");
    purser.clock.advance(day);
    await reconcile();
    expect(await kept()).toEqual([]);
  });

  it("leaves the list once an administrator assigns it", async () => {
    buy("late");
    purser.clock.advance(hour);
    await reconcile();
    expect(await kept()).toEqual(["late"]);
    const { teamId } = await assign("late");
    expect(await kept()).toEqual([]);
    await reconcile();
    const [row] = await purser.db.select().from(subscriptions).where(eq(subscriptions.id, "late"));
    expect(row).toMatchObject({ organizationId: teamId, provider: "local", rawStatus: "active" });
  });

  it("leaves the list at the next fetch if it was recorded while it was assigned", async () => {
    buy("raced");
    purser.clock.advance(hour);
    await assign("raced");
    await purser.db.transaction((transaction) =>
      putUnattributed(transaction, {
        provider: "local",
        id: "raced",
        customerId: "customer",
        rawStatus: "active",
        planId: "plan",
        isPaid: true,
        firstSeenAt: purser.clock.now(),
        checkedAt: purser.clock.now(),
      }),
    );
    await reconcile();
    expect(await kept()).toEqual([]);
  });

  it("is renewed by the first fetch after it was assigned if the next period has begun", async () => {
    buy("renewed");
    purser.clock.advance(hour);
    await reconcile();
    const { owner, teamId: organizationId } = await assign("renewed");
    purser.clock.advance(365 * day);
    buy("renewed");
    await reconcile();
    const events = await purser.as(owner).events.list({ organizationId });
    expect(events.map(({ type }) => type)).toContain("subscription.renewed");
  });

  it("is not renewed by the first fetch after it was assigned", async () => {
    buy("assigned");
    const start = purser.clock.now();
    purser.clock.advance(hour);
    await reconcile();
    // Administrators enter a day, or what the provider shows, which is not to the second.
    const entered = { currentPeriodStart: new Date(start.getTime() - hour) };
    const { owner, teamId: organizationId } = await assign("assigned", entered);
    expect(await reconcile()).toEqual(["assigned"]);
    const events = await purser.as(owner).events.list({ organizationId });
    expect(events.map(({ type }) => type)).toEqual(["subscription.updated", "subscription.created"]);
  });

  it("is not assigned by an id that its provider writes in another way", async () => {
    buy("written");
    states.set("WRITTEN", states.get("written")!);
    await assign("WRITTEN");
    const [row] = await purser.db.select().from(subscriptions).where(eq(subscriptions.id, "WRITTEN"));
    expect(row).toMatchObject({ provider: null });
    const pointer = { subscriptionId: "WRITTEN", organizationId: row!.organizationId };
    await expect(synchronizeSubscription(purser.platform, "local", pointer)).rejects.toThrow("another id");
    expect(await purser.db.select().from(subscriptions)).toHaveLength(1);
  });

  it("is one that was bought for an organization which has been deleted since", async () => {
    const owner = await purser.person();
    const organizationId = await purser.organization(owner);
    await purser.as(owner).organizations.delete({ id: organizationId });
    buy("ghost", { organizationId });
    purser.clock.advance(hour);
    await reconcile();
    expect([await kept(), alerts()]).toEqual([["ghost"], 1]);
    const { teamId } = await assign("ghost");
    await reconcile();
    const [row] = await purser.db.select().from(subscriptions).where(eq(subscriptions.id, "ghost"));
    expect([await kept(), row?.organizationId]).toEqual([[], teamId]);
  });

  it("is none that its organization had before it was deleted: that one stays there", async () => {
    const owner = await purser.person();
    const organizationId = await purser.organization(owner);
    buy("ended", { organizationId, status: "CANCELED", rawStatus: "canceled" });
    purser.clock.advance(hour);
    await reconcile();
    await purser.as(owner).organizations.delete({ id: organizationId });
    await purser.db.update(subscriptions).set({ checkedAt: null });
    buy("ended", { organizationId, status: "CANCELED", rawStatus: "refunded" });
    expect(await reconcile()).toEqual(["ended"]);
    const [row] = await purser.db.select().from(subscriptions).where(eq(subscriptions.id, "ended"));
    expect(row).toMatchObject({ organizationId, rawStatus: "refunded" });
  });

  it("is no alert without a payment", async () => {
    buy("unpaid", { status: "INCOMPLETE", rawStatus: "incomplete" });
    purser.clock.advance(hour);
    expect(await reconcile()).toEqual(["unpaid"]);
    expect(await reconcile()).toEqual([]);
    expect([await kept(), alerts()]).toEqual([[], 0]);
  });
});
