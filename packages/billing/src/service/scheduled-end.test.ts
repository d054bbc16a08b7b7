import { day } from "@purser/core/testing";
import { refusalOf } from "@purser/testing";
import { billingScene } from "@purser/testing/billing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { synchronizeSubscription } from "./synchronize.ts";

const start = () => billingScene("stripe");
let scene: Awaited<ReturnType<typeof start>>;
let team: Awaited<ReturnType<typeof scene.subscriber>>;
beforeAll(async () => {
  scene = await start();
});
afterAll(() => scene.close());
beforeEach(async () => {
  team = await scene.subscriber();
});

const state = async () => (await scene.fake.provider.subscription(team.subscriptionId))!;
const read = async () =>
  (await scene.purser.as(team.owner).organizations.subscription.get({ organizationId: team.teamId }))!;
const synchronize = () => {
  const { subscriptionId, teamId: organizationId } = team;
  return synchronizeSubscription(scene.purser.platform, "stripe", { subscriptionId, organizationId });
};
/** The details of a person's requests, without the changes that they led to. */
const auditOf = async (action: string) => {
  const entries = await scene.purser.as(team.owner).organizations.audit.list({ id: team.teamId });
  const requests = entries.filter(
    (entry) => entry.action === action && entry.details["change"] === undefined,
  );
  return requests.map(({ details }) => details);
};
const mails = async () => {
  await scene.purser.drain();
  return scene.purser.mails.filter(({ to }) => to === team.owner.email).map(({ subject }) => subject);
};

/** An operator schedules the end in Stripe's dashboard. Returns the date. */
async function scheduleEnd(days: number): Promise<Date> {
  const { currentPeriodEnd } = await state();
  const at = new Date(currentPeriodEnd.getTime() + days * day);
  scene.fake.scheduleEnd(team.subscriptionId, at);
  await synchronize();
  return at;
}

describe("an end that is scheduled for a later period", () => {
  it("is replaced by billing.cancel, which records it", async () => {
    const scheduled = await scheduleEnd(60);
    expect(await read()).toMatchObject({ cancelAtPeriodEnd: false });
    const { id } = await read();
    await scene.purser.as(team.owner).billing.cancel({ id });
    const { currentPeriodEnd } = await state();
    expect(await state()).toMatchObject({ cancelAtPeriodEnd: true, cancelAt: currentPeriodEnd });
    expect(await read()).toMatchObject({ cancelAtPeriodEnd: true });
    expect(await auditOf("billing.cancel")).toEqual([{ replacedCancelAt: scheduled.toISOString() }]);
  });

  it("stays after billing.resume", async () => {
    const scheduled = await scheduleEnd(60);
    const { id } = await read();
    expect(await scene.purser.as(team.owner).billing.resume({ id })).toEqual({ status: "ACTIVE" });
    expect(await state()).toMatchObject({ cancelAtPeriodEnd: false, cancelAt: scheduled });
    expect(await auditOf("billing.resume")).toEqual([]);
  });

  it("is announced once its period has begun", async () => {
    const scheduled = await scheduleEnd(10);
    expect(await mails()).toEqual([]);
    scene.fake.renew(team.subscriptionId);
    await synchronize();
    expect(await read()).toMatchObject({ cancelAtPeriodEnd: true });
    // The end comes before the end of that period.
    expect(await mails()).toEqual([`Starter ends on ${scheduled.toISOString().slice(0, 10)}`]);
  });
});

describe("an end that is scheduled within the period", () => {
  it("is withdrawn by billing.resume, which records it", async () => {
    const scheduled = await scheduleEnd(-3);
    const { id } = await read();
    await scene.purser.as(team.owner).billing.resume({ id });
    expect(await state()).toMatchObject({ cancelAtPeriodEnd: false, cancelAt: null });
    expect(await auditOf("billing.resume")).toEqual([{ replacedCancelAt: scheduled.toISOString() }]);
  });
});

describe("a plan change that is scheduled for the end of the period", () => {
  it("gives way to billing.cancel, which records it", async () => {
    scene.fake.attachSchedule(team.subscriptionId);
    const { id } = await read();
    await scene.purser.as(team.owner).billing.cancel({ id });
    expect(await read()).toMatchObject({ status: "ACTIVE", cancelAtPeriodEnd: true });
    const replacedChange = { action: "subscription schedule", at: null };
    expect(await auditOf("billing.cancel")).toEqual([{ replacedChange }]);
    await scene.purser.as(team.owner).billing.resume({ id });
    expect(await read()).toMatchObject({ status: "ACTIVE", cancelAtPeriodEnd: false });
  });

  it("is recorded once it has given way, even if the cancellation then fails", async () => {
    scene.fake.attachSchedule(team.subscriptionId);
    const { id } = await read();
    const { cancel } = scene.purser.as(team.owner).billing;
    const failure = { status: 500, error: { type: "api_error" } };
    scene.fake.fail(`POST /v1/subscriptions/${id}`, failure);
    expect(await refusalOf(cancel({ id }))).toBe("PROVIDER_ERROR");
    expect(await state()).not.toHaveProperty("replaceableChange");
    const replacedChange = { action: "subscription schedule", at: null };
    expect(await auditOf("billing.cancel")).toEqual([{ replacedChange }]);
    await cancel({ id });
    expect(await read()).toMatchObject({ status: "ACTIVE", cancelAtPeriodEnd: true });
    expect(await auditOf("billing.cancel")).toEqual([{}, { replacedChange }]);
  });
});
