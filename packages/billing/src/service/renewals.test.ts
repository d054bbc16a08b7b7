import { day } from "@purser/core/testing";
import { type BillingScene, billingScene } from "@purser/testing/billing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { PaymentProviderName } from "../ports.ts";
import { synchronizeSubscription } from "./synchronize.ts";

/** What a new subscriber of this provider does and sees. */
async function subscriberOf(scene: BillingScene, provider: PaymentProviderName) {
  const { owner, teamId: organizationId, subscriptionId: id } = await scene.subscriber();
  const { billing, organizations, events } = scene.purser.as(owner);
  return {
    id,
    owner,
    billing,
    read: async () => (await organizations.subscription.get({ organizationId }))!,
    /** Lets Purser see the provider's state. Returns the events that this causes. */
    async seen(): Promise<string[]> {
      const before = (await events.list({ organizationId })).length;
      const pointer = { subscriptionId: id, organizationId };
      await synchronizeSubscription(scene.purser.platform, provider, pointer);
      const all = (await events.list({ organizationId })).map(({ type }) => type).toReversed();
      return all.slice(before);
    },
  };
}

describe("subscription.renewed at a provider that charges after a period has begun", () => {
  const start = () => billingScene("stripe");
  let scene: Awaited<ReturnType<typeof start>>;
  let subscriber: Awaited<ReturnType<typeof subscriberOf>>;
  beforeAll(async () => {
    scene = await start();
  });
  afterAll(() => scene.close());
  beforeEach(async () => {
    subscriber = await subscriberOf(scene, "stripe");
  });

  it("is sent with the payment", async () => {
    const { id, seen } = subscriber;
    scene.fake.beginPeriod(id);
    expect(await seen()).toEqual(["subscription.updated"]);
    scene.fake.charge(id, true);
    expect([await seen(), await seen()]).toEqual([["subscription.renewed"], []]);
  });

  it("is sent once, with the payment after one that failed", async () => {
    const { id, seen } = subscriber;
    scene.fake.beginPeriod(id);
    await seen();
    scene.fake.charge(id, false);
    expect(await seen()).toEqual(["subscription.past_due"]);
    scene.fake.charge(id, true);
    expect(await seen()).toEqual(["subscription.renewed"]);
  });

  it("is sent with the payment, not with what an administrator enters before it", async () => {
    const { id, seen, read } = subscriber;
    scene.fake.beginPeriod(id);
    scene.fake.charge(id, false);
    await seen();
    const { organizationId: teamId, customerId, planId, variantId, ...period } = await read();
    const { currentPeriodStart, currentPeriodEnd } = period;
    const administrator = await scene.purser.person({ isAdministrator: true });
    const entered = { canceledAt: null, cancelAtPeriodEnd: false, currentPeriodStart, currentPeriodEnd };
    const plan = { customerId, planId, variantId };
    await scene.purser.as(administrator).billing.sync({ id, teamId, status: "ACTIVE", ...plan, ...entered });
    expect(await seen()).toEqual(["subscription.past_due"]);
    scene.fake.charge(id, true);
    expect(await seen()).toEqual(["subscription.renewed"]);
    const { events } = scene.purser.as(subscriber.owner);
    const all = await events.list({ organizationId: teamId });
    expect(all.filter(({ type }) => type === "subscription.renewed")).toHaveLength(1);
  });
});

describe("a subscription at a provider that reports no periods", () => {
  const start = () => billingScene("lemonsqueezy");
  let scene: Awaited<ReturnType<typeof start>>;
  let subscriber: Awaited<ReturnType<typeof subscriberOf>>;
  beforeAll(async () => {
    scene = await start();
  });
  afterAll(() => scene.close());
  beforeEach(async () => {
    subscriber = await subscriberOf(scene, "lemonsqueezy");
  });

  const [monthly, yearly] = [1004, 1003];
  const addDays = (instant: Date, days: number) => new Date(instant.getTime() + days * day);

  it("keeps its period while a payment is retried, and is renewed once", async () => {
    const { id, seen, read } = subscriber;
    const { currentPeriodStart, currentPeriodEnd } = await read();
    scene.purser.clock.set(currentPeriodEnd);
    scene.fake.failPayment(id);
    expect(await seen()).toEqual(["subscription.past_due"]);
    scene.purser.clock.advance(5 * day);
    scene.fake.failPayment(id);
    expect(await seen()).toEqual([]);
    expect(await read()).toMatchObject({ status: "PAST_DUE", currentPeriodStart, currentPeriodEnd });
    scene.fake.renew(id);
    expect(await seen()).toEqual(["subscription.renewed"]);
  });

  it.each([
    ["shorter", { from: yearly, to: monthly }],
    ["longer", { from: monthly, to: yearly }],
  ])(
    "keeps its period when a plan with a %s interval is charged from the next renewal",
    async (_what, plan) => {
      const { id, seen, read } = subscriber;
      const renewsAt = addDays(scene.purser.clock.now(), plan.from === yearly ? 365 : 31);
      scene.fake.put(id, { variantId: plan.from, renewsAt });
      await seen();
      const { currentPeriodStart, currentPeriodEnd } = await read();
      scene.purser.clock.advance(20 * day);
      scene.fake.put(id, { variantId: plan.to });
      expect(await seen()).toEqual(["subscription.updated"]);
      const changed = { variantId: String(plan.to), currentPeriodStart, currentPeriodEnd };
      expect(await read()).toMatchObject(changed);
      scene.purser.clock.set(currentPeriodEnd);
      scene.fake.renew(id);
      expect([await seen(), await seen()]).toEqual([["subscription.renewed"], []]);
    },
  );

  it("is not renewed by a cancellation while a payment is overdue", async () => {
    const { id, seen, read } = subscriber;
    scene.purser.clock.set((await read()).currentPeriodEnd);
    scene.fake.failPayment(id);
    await seen();
    scene.fake.cancelAtPeriodEnd(id);
    expect(await seen()).toEqual(["subscription.updated"]);
  });

  it("is not renewed by a period that begins in a pause in which the service is free", async () => {
    const { id, seen, read } = subscriber;
    const { currentPeriodEnd } = await read();
    scene.fake.put(id, { status: "paused", pause: { mode: "free", resumes_at: null } });
    expect(await seen()).toEqual([]);
    scene.fake.put(id, { renewsAt: new Date(currentPeriodEnd.getTime() + 30 * day) });
    expect(await seen()).toEqual(["subscription.updated"]);
    expect((await read()).status).toBe("ACTIVE");
  });

  it("stays in its trial after a cancellation, and is not renewed by it", async () => {
    const { id, billing, seen, read } = subscriber;
    const startsAt = scene.purser.clock.now();
    const renewsAt = new Date(startsAt.getTime() + 60 * day);
    scene.fake.put(id, { status: "on_trial", isTrial: true, renewsAt });
    await seen();
    const trial = { isTrial: true, currentPeriodStart: startsAt, currentPeriodEnd: renewsAt };
    expect(await read()).toMatchObject(trial);
    await billing.cancel({ id });
    expect(await read()).toMatchObject({ ...trial, status: "ACTIVE", cancelAtPeriodEnd: true });
    expect(await seen()).toEqual([]);
  });
});
