import { day, minute } from "@purser/core/testing";
import { subscriptions } from "@purser/db";
import { type Person, handlerOf, refusalOf } from "@purser/testing";
import { type BillingScene, billingScene } from "@purser/testing/billing";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { billingJobs } from "../job-definitions.ts";
import { synchronizeSubscription } from "./synchronize.ts";

let scene: BillingScene;
let administrator: Person;
let owner: Person;
let teamId: string;
/** The manual subscription of the team. */
let id: string;
beforeAll(async () => {
  scene = await billingScene("local");
  administrator = await scene.purser.person({ isAdministrator: true });
});
afterAll(() => scene.close());
beforeEach(async () => {
  ({ owner, teamId } = await scene.team());
  id = `manual ${teamId}`;
});

/** An administrator enters the subscription, for 30 days from now. */
async function enter(
  plan = { planId: "plan", variantId: "variant" },
  status: "ACTIVE" | "CANCELED" = "ACTIVE",
): Promise<void> {
  const currentPeriodStart = scene.purser.clock.now();
  await scene.purser.as(administrator).billing.sync({
    id,
    teamId,
    customerId: "customer",
    status,
    ...plan,
    currentPeriodStart,
    currentPeriodEnd: new Date(currentPeriodStart.getTime() + 30 * day),
    canceledAt: null,
    cancelAtPeriodEnd: false,
  });
}

const resume = () => scene.purser.as(owner).billing.resume({ id });
const cancel = () => scene.purser.as(owner).billing.cancel({ id });
const subjects = async () => {
  await scene.purser.drain();
  return scene.purser.mails.filter(({ to }) => to === owner.email).map(({ subject }) => subject);
};

describe("billing.cancel of a manual subscription", () => {
  it("ends it at once if its period is over, and announces no coming end", async () => {
    await enter();
    scene.purser.clock.advance(120 * day);
    await cancel();
    const shown = await scene.purser.as(owner).organizations.subscription.get({ organizationId: teamId });
    expect(shown).toMatchObject({ status: "CANCELED", cancelAtPeriodEnd: false });
    const job = { id: "job", attempt: 1, last: true };
    await handlerOf(scene.purser.handlers, billingJobs.reconcile)(null, job);
    expect(await subjects()).toEqual(["Your plan has ended"]);
    const events = await scene.purser.as(owner).events.list({ organizationId: teamId });
    expect(events.map(({ type }) => type)).toEqual([
      "subscription.updated",
      "subscription.canceled",
      "subscription.created",
    ]);
  });
});

describe("billing.cancel and billing.resume of a manual subscription", () => {
  it("are limited per person, as every cancellation mails all owners", async () => {
    await enter();
    for (let round = 0; round < 10; round += 1) {
      await cancel();
      await resume();
    }
    expect(await refusalOf(cancel())).toBe("RATE_LIMITED");
    expect(await subjects()).toHaveLength(10);
    scene.purser.clock.advance(minute);
    await cancel();
  });
});

describe("a repetition of billing.cancel or billing.resume of a manual subscription", () => {
  it("changes nothing, however often, and does not count against the limit", async () => {
    await enter();
    for (const change of [cancel, resume]) await Promise.all(Array.from({ length: 30 }, () => change()));
    expect(await subjects()).toHaveLength(1);
    await enter(undefined, "CANCELED");
    for (let count = 0; count < 30; count += 1)
      expect(await refusalOf(count % 2 === 0 ? cancel() : resume())).toBe("SUBSCRIPTION_ENDED");
  });
});

describe("the mails about a manual subscription", () => {
  it("name its plan as long as a provider sells it", async () => {
    await scene.purser.as(null).billing.plans.list();
    await enter({ planId: "local_team", variantId: "local_team_monthly" });
    scene.purser.clock.advance(30 * day);
    await cancel();
    expect(await subjects()).toEqual(["Team has ended"]);
  });
});

describe("organizations.subscription.get", () => {
  it("shows the paid subscription beside a manual one that started later, with what its owner may do", async () => {
    const buyer = await scene.buyer();
    ({ owner, teamId } = buyer);
    id = `manual ${teamId}`;
    const { subscriptionId } = await scene.fake.complete(buyer.reference);
    const target = { subscriptionId, organizationId: teamId };
    await synchronizeSubscription(scene.purser.platform, "local", target);
    const read = () => scene.purser.as(owner).organizations.subscription.get({ organizationId: teamId });
    const paid = (await read())!;
    expect(paid).toMatchObject({ id: subscriptionId, others: [] });
    scene.purser.clock.advance(minute);
    await enter();
    const { others: _, isTrialEligible: _eligible, ...same } = paid;
    expect(await read()).toMatchObject({ id, others: [{ ...same, canCancel: true, canOpenPortal: true }] });
    await scene.purser.as(owner).billing.cancel({ id: subscriptionId });
    expect((await read())!.others).toMatchObject([{ id: subscriptionId, cancelAtPeriodEnd: true }]);
    // What has ended is paid no longer.
    const ended = { status: "CANCELED" } as const;
    await scene.purser.db.update(subscriptions).set(ended).where(eq(subscriptions.id, subscriptionId));
    expect(await read()).toMatchObject({ id, others: [] });
  });
});
