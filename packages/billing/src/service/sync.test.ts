import { day } from "@purser/core/testing";
import { subscriptions } from "@purser/db";
import { type Person, handlerOf, problemOf, refusalOf } from "@purser/testing";
import { type BillingScene, billingScene } from "@purser/testing/billing";
import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { billingJobs } from "../job-definitions.ts";
import { BillingError, type Plan } from "../ports.ts";
import { synchronizeSubscription } from "./synchronize.ts";
import { SubscriptionStatus } from "../subscriptions/contract.ts";

let scene: BillingScene;
let administrator: Person;
let owner: Person;
let teamId: string;
let start: Date;

beforeAll(async () => {
  scene = await billingScene("local");
  administrator = await scene.purser.person({ isAdministrator: true });
  start = scene.purser.clock.now();
});
afterAll(() => scene.close());
beforeEach(async () => {
  ({ owner, teamId } = await scene.team());
});
afterEach(() => scene.intercept(null));

type Input = Parameters<ReturnType<BillingScene["purser"]["as"]>["billing"]["sync"]>[0];

const input = (change: Partial<Input> = {}): Input => ({
  id: `sub of ${teamId}`,
  teamId,
  customerId: "customer-1",
  status: "ACTIVE",
  planId: "plan-1",
  variantId: "variant-1",
  currentPeriodStart: start,
  currentPeriodEnd: new Date(start.getTime() + 30 * day),
  canceledAt: null,
  cancelAtPeriodEnd: false,
  ...change,
});

const sync = (change: Partial<Input> = {}, by = administrator, idempotencyKey: string | null = null) =>
  scene.purser.as(by, { idempotencyKey }).billing.sync(input(change));

const read = () => scene.purser.as(owner).organizations.subscription.get({ organizationId: teamId });
const rowOf = async (id = input().id) => {
  const rows = await scene.purser.db.select().from(subscriptions).where(eq(subscriptions.id, id));
  return rows[0];
};
const trail = async () => {
  const entries = await scene.purser.as(owner).organizations.audit.list({ id: teamId });
  return entries.filter(({ action }) => action.startsWith("billing.")).toReversed();
};

/** How the organization shows an entered subscription. */
const shownOf = ({ teamId: organizationId, ...shown }: Input) => ({ ...shown, organizationId });

describe("billing.sync", () => {
  it("stores a subscription as entered, for administrators only", async () => {
    expect(await refusalOf(sync({}, owner))).toBe("FORBIDDEN");
    expect(await read()).toBeNull();
    const entered = input({ status: "PAST_DUE", canceledAt: start, cancelAtPeriodEnd: true });
    expect(await sync(entered)).toBeUndefined();
    expect(await read()).toMatchObject(shownOf(entered));
    expect(await rowOf()).toMatchObject({ provider: null, rawStatus: null, checkedAt: null });
  });

  it.each(
    SubscriptionStatus.options.flatMap((status) =>
      [true, false].map((cancelAtPeriodEnd) => ({ status, cancelAtPeriodEnd })),
    ),
  )("stores $status with cancelAtPeriodEnd $cancelAtPeriodEnd as entered", async (change) => {
    const entered = input({ canceledAt: start, ...change });
    await sync(entered);
    expect(await read()).toMatchObject(shownOf(entered));
    expect(await rowOf()).toMatchObject(change);
  });

  it("replaces the subscription with the same id", async () => {
    await sync();
    const change = {
      customerId: "customer-2",
      status: "UNPAID" as const,
      planId: "plan-2",
      variantId: "variant-2",
      currentPeriodStart: new Date(start.getTime() - day),
      currentPeriodEnd: new Date(start.getTime() + day),
    };
    await sync(change);
    expect(await read()).toMatchObject(shownOf(input(change)));
  });

  it("writes audit entries with the actor and the change, and mails the owners", async () => {
    await sync();
    await sync({ planId: "plan-2" });
    await sync({ planId: "plan-2", status: "CANCELED" });
    const [actor, subject] = [{ id: administrator.userId, name: administrator.name }, input().id];
    const entries = await trail();
    for (const entry of entries) expect(entry).toMatchObject({ action: "billing.sync", actor, subject });
    expect(entries.map(({ details }) => details)).toMatchObject([
      { status: "ACTIVE", planId: "plan-1" },
      { change: "started", status: "ACTIVE", provider: null },
      { status: "ACTIVE", planId: "plan-2" },
      { status: "CANCELED" },
      { change: "ended" },
    ]);
    await scene.purser.drain();
    const mails = scene.purser.mails.filter(({ to }) => to === owner.email);
    expect(mails.map(({ subject: title }) => title)).toEqual(["Your plan has ended"]);
  });

  it("starts nothing with a canceled period that is over, beside a live subscription", async () => {
    await sync({ id: `live of ${teamId}` });
    const over = { currentPeriodStart: new Date(start.getTime() - 30 * day), currentPeriodEnd: start };
    await sync({ ...over, cancelAtPeriodEnd: true });
    expect(await rowOf()).toMatchObject({ status: "CANCELED", cancelAtPeriodEnd: false });
    const changes = (await trail()).map(({ subject, details }) => [subject, details["change"]]);
    expect(changes.filter(([, change]) => change !== undefined)).toEqual([[`live of ${teamId}`, "started"]]);
    await scene.purser.drain();
    expect(scene.purser.mails.filter(({ to }) => to === owner.email)).toEqual([]);
  });

  it("closes an open checkout, so that the team cannot buy a second subscription", async () => {
    const buyer = await scene.buyer();
    ({ owner, teamId } = buyer);
    await sync();
    await scene.purser.drain();
    // Its page no longer accepts a payment.
    await expect(scene.fake.complete(buyer.reference)).rejects.toThrow("The checkout is unpaid");
  });

  it("refuses an unknown or deleted organization", async () => {
    expect(await refusalOf(sync({ teamId: scene.purser.unknownId("org") }))).toBe("ORGANIZATION_NOT_FOUND");
    await scene.purser.as(owner).organizations.delete({ id: teamId });
    expect(await refusalOf(sync())).toBe("ORGANIZATION_NOT_FOUND");
  });

  it("asks no provider about an unknown organization, or the subscription of another team", async () => {
    await sync();
    const { id } = input();
    let calls = 0;
    scene.intercept({
      recognizes: () => true,
      subscription: () => ((calls += 1), Promise.reject(new BillingError("outage", "No answer"))),
    });
    expect(await refusalOf(sync({ teamId: scene.purser.unknownId("org") }))).toBe("ORGANIZATION_NOT_FOUND");
    const other = await scene.team();
    expect(await refusalOf(sync({ teamId: other.teamId, id }))).toBe("SUBSCRIPTION_OF_ANOTHER_TEAM");
    expect(calls).toBe(0);
  });

  it("never moves a subscription to another team, and gives an id to one of several concurrent callers", async () => {
    await sync();
    const other = await scene.team();
    const refusal: unknown = await sync({ teamId: other.teamId, id: input().id }).catch(problemOf);
    expect(refusal).toMatchObject({ code: "SUBSCRIPTION_OF_ANOTHER_TEAM", status: 409 });
    expect(await read()).toMatchObject(shownOf(input()));
    const teams = [teamId, other.teamId, (await scene.team()).teamId];
    for (const id of ["race-1", "race-2"]) {
      const calls = await Promise.allSettled(teams.map((one) => sync({ id, teamId: one })));
      const winner = teams[calls.findIndex(({ status }) => status === "fulfilled")];
      const losers = calls.filter(({ status }) => status === "rejected") as PromiseRejectedResult[];
      expect(losers.map(({ reason }) => problemOf(reason).code)).toEqual([
        "SUBSCRIPTION_OF_ANOTHER_TEAM",
        "SUBSCRIPTION_OF_ANOTHER_TEAM",
      ]);
      expect((await rowOf(id))?.organizationId).toBe(winner);
    }
  });

  it.each([
    ["a period that ends before it begins", { currentPeriodEnd: new Date("2026-01-01T00:00:00.000Z") }],
    ["an empty id", { id: "" }],
    ["an id of 256 characters", { id: "i".repeat(256) }],
    ["an id with U+0000", { id: "i\0" }],
    ["an empty customer", { customerId: "" }],
    ["an empty plan", { planId: "" }],
    ["a variant of 256 characters", { variantId: "v".repeat(256) }],
    ["an unknown status", { status: "TRIALING" as never }],
    ["an impossible date", { currentPeriodStart: new Date(Number.NaN) }],
    ["an unknown field", { plan: "plan" } as never],
  ])("refuses %s", async (_, change) => {
    expect(await refusalOf(sync(change))).toBe("VALIDATION_FAILED");
  });

  it("accepts ids of 255 characters, and a period of zero length", async () => {
    const long = input({ id: `${teamId}${"i".repeat(255 - teamId.length)}`, currentPeriodEnd: start });
    await sync(long);
    expect(await read()).toMatchObject(shownOf(long));
  });

  it("recognizes a provider's subscription, which overrides the entry", async () => {
    const buyer = await scene.buyer();
    ({ owner, teamId } = buyer);
    const { subscriptionId: id } = await scene.fake.complete(buyer.reference);
    await sync({ id, status: "UNPAID" });
    expect(await read()).toMatchObject({ id, status: "UNPAID", planId: "plan-1" });
    expect(await rowOf(id)).toMatchObject({ provider: "local" });
    await synchronizeSubscription(scene.purser.platform, "local", {
      subscriptionId: id,
      organizationId: teamId,
    });
    expect(await read()).toMatchObject({ id, status: "ACTIVE", planId: "local_starter" });
    // Reconciliation also corrects an end that was entered by mistake.
    await sync({ id, status: "CANCELED" });
    await handlerOf(scene.purser.handlers, billingJobs.reconcile)(null, {
      id: "reconcile",
      attempt: 1,
      last: true,
    });
    await scene.purser.drain();
    expect(await read()).toMatchObject({ id, status: "ACTIVE" });
  });

  it.each(["a webhook", "another billing.sync"])(
    "assigns a manual one to its provider after %s",
    async (trigger) => {
      const buyer = await scene.buyer();
      ({ owner, teamId } = buyer);
      const { subscriptionId: id, events } = await scene.fake.complete(buyer.reference);
      scene.intercept({ recognizes: () => false });
      await sync({ id });
      expect(await rowOf(id)).toMatchObject({ provider: null });
      scene.intercept(null);
      if (trigger === "a webhook") {
        await scene.deliver(events[0]!);
        await scene.purser.drain();
      } else await sync({ id });
      expect(await rowOf(id)).toMatchObject({ provider: "local" });
    },
  );

  it("causes no renewal when its provider takes over a manual one", async () => {
    const buyer = await scene.buyer();
    ({ owner, teamId } = buyer);
    const { subscriptionId: id } = await scene.fake.complete(buyer.reference);
    const subscription = await scene.fake.provider.subscription(id);
    scene.intercept({ recognizes: () => false });
    const currentPeriodStart = new Date(subscription!.currentPeriodStart.getTime() - day);
    await sync({ id, currentPeriodStart });
    scene.intercept(null);
    await synchronizeSubscription(scene.purser.platform, "local", {
      subscriptionId: id,
      organizationId: teamId,
    });
    const events = await scene.purser.as(owner).events.list({ organizationId: teamId });
    expect(events.map(({ type }) => type)).toEqual(["subscription.updated", "subscription.created"]);
  });

  describe("of a manual one that has ended, before reconciliation has stored its end", () => {
    /** Lets a manual subscription end, and opens a checkout. */
    async function buyAgain() {
      const currentPeriodStart = scene.purser.clock.now();
      const currentPeriodEnd = new Date(currentPeriodStart.getTime() + day);
      await sync({ cancelAtPeriodEnd: true, currentPeriodStart, currentPeriodEnd });
      scene.purser.clock.advance(day);
      const plan = { planId: "local_team", variantId: "local_team_monthly" };
      const url = await scene.purser.as(owner).billing.checkout({ teamId, ...plan });
      return { currentPeriodStart, reference: url.split("/").at(-1)! };
    }
    const changes = async () =>
      (await trail())
        .map(({ action, details }) => [action, details["change"]])
        .filter(([, change]) => change);

    it("starts it again, and closes the open checkout", async () => {
      const { currentPeriodStart, reference } = await buyAgain();
      const currentPeriodEnd = new Date(currentPeriodStart.getTime() + 30 * day);
      await sync({ currentPeriodStart, currentPeriodEnd });
      await scene.purser.drain();
      await expect(scene.fake.complete(reference)).rejects.toThrow("The checkout is unpaid");
      expect((await changes()).slice(-2)).toEqual([
        ["billing.reconcile", "ended"],
        ["billing.sync", "started"],
      ]);
      const events = await scene.purser.as(owner).events.list({ organizationId: teamId });
      expect(events.map(({ type }) => type)).toContain("subscription.canceled");
    });

    it("records its end once when it is entered as ended", async () => {
      await buyAgain();
      await sync({ status: "CANCELED" });
      expect((await changes()).filter(([, change]) => change === "ended")).toEqual([
        ["billing.reconcile", "ended"],
      ]);
    });
  });

  it("stores nothing while a provider that may know the id does not answer", async () => {
    scene.intercept({
      recognizes: () => true,
      subscription: () => Promise.reject(new BillingError("outage", "No answer")),
    });
    expect(await refusalOf(sync({}, administrator, "key"))).toBe("PROVIDER_ERROR");
    expect(await read()).toBeNull();
    scene.intercept(null);
    await sync({}, administrator, "key");
    await sync({ status: "CANCELED" });
    // Repeating the first request with its key does not restore it.
    await sync({}, administrator, "key");
    expect(await read()).toMatchObject({ status: "CANCELED" });
  });
});

describe("organizations.subscription.get", () => {
  it("shows the latest live one, or else the latest one", async () => {
    const from = (days: number) => ({
      currentPeriodStart: new Date(start.getTime() + days * day),
      currentPeriodEnd: new Date(start.getTime() + (days + 30) * day),
    });
    const put = async (id: string, status: Input["status"], days: number) => {
      await sync({ id: `${id} ${teamId}`, status, ...from(days) });
      return (await read())?.id.split(" ")[0];
    };
    expect(await put("ended", "CANCELED", 0)).toBe("ended");
    expect(await put("started", "INCOMPLETE", 3)).toBe("started");
    expect(await put("unpaid", "UNPAID", -9)).toBe("unpaid");
    expect(await put("later", "CANCELED", 9)).toBe("unpaid");
    expect(await put("paid", "ACTIVE", -5)).toBe("paid");
    await put("paid", "CANCELED", -5);
    expect(await put("unpaid", "CANCELED", -9)).toBe("later");
  });

  it("has the name and the price of its plan, as far as the plan is on sale", async () => {
    const [{ id: planId, name, description, variants }] = (await scene.purser
      .as(owner)
      .billing.plans.list()) as [Plan];
    const [variant] = variants;
    const shown = async (plan: { planId: string; variantId: string }) => {
      await sync(plan);
      return (await read())!.plan;
    };
    expect(await shown({ planId, variantId: variant!.id })).toEqual({ name, description, variant });
    expect(await shown({ planId, variantId: "old" })).toEqual({ name, description, variant: null });
    expect(await shown({ planId: "old", variantId: variant!.id })).toBeNull();
    expect(await shown({ planId: `") || "" == "`, variantId: variant!.id })).toBeNull();
  });
});
