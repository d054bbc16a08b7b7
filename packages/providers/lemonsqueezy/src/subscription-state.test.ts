import type { SubscriptionState } from "@purser/billing/ports";
import { testClock } from "@purser/core/testing";
import { outsideContract } from "@purser/vendor-contract";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type LemonSqueezyFake, startLemonSqueezyFake } from "./fake/index.ts";
import {
  type FakeLemonSqueezySubscription,
  type FakeLemonSqueezyVariant,
  fixedPrice,
  newLemonSqueezyState,
} from "./fake/state.ts";

const clock = testClock();
const earlier = new Date("2026-03-01T09:00:00.000Z");
const later = new Date("2026-03-20T09:00:00.000Z");
let fake: LemonSqueezyFake;
let id: string;
beforeAll(async () => {
  fake = await startLemonSqueezyFake({ clock });
  const { reference } = await fake.provider.createCheckout({
    checkoutId: "chk_1",
    organizationId: "org_1",
    name: "Acme",
    email: "ada@example.com",
    customerId: null,
    planId: "101",
    variantId: "1001",
    returnUrl: "https://app.example.com",
  });
  id = fake.complete(reference).subscriptionId;
});
afterAll(async () => fake.stop());
beforeEach(() => {
  const { stores, products, variants } = newLemonSqueezyState(clock);
  Object.assign(fake.state, { stores, products, variants });
});

/** Returns the state of a subscription with these fields at Lemon Squeezy. */
async function stateWith(fields: Partial<FakeLemonSqueezySubscription>): Promise<SubscriptionState> {
  fake.put(id, { ...usual, ...fields });
  return (await fake.provider.subscription(id))!;
}

const usual = {
  status: "active",
  pause: null,
  cancelled: false,
  isTrial: false,
  renewsAt: later,
  endsAt: null,
  createdAt: new Date("2020-01-01T00:00:00.000Z"),
} as const;
const paused = (mode: "free" | "void") => ({ status: "paused", pause: { mode, resumes_at: null } }) as const;
const cancelled = { status: "cancelled", cancelled: true } as const;

describe("the status of a subscription", () => {
  it.each<
    [
      FakeLemonSqueezySubscription["status"],
      SubscriptionState["status"],
      Partial<FakeLemonSqueezySubscription>,
    ]
  >([
    ["on_trial", "ACTIVE", {}],
    ["active", "ACTIVE", {}],
    ["cancelled", "ACTIVE", { ...cancelled, endsAt: later }],
    ["cancelled", "CANCELED", { ...cancelled, endsAt: earlier }],
    ["cancelled", "CANCELED", { ...cancelled, endsAt: clock.now() }],
    ["cancelled", null, { ...cancelled, endsAt: null }],
    ["paused", "ACTIVE", paused("free")],
    ["paused", "UNPAID", paused("void")],
    ["paused", null, { pause: null }],
    ["past_due", "PAST_DUE", {}],
    ["unpaid", "UNPAID", {}],
    ["expired", "CANCELED", { cancelled: true, endsAt: earlier }],
  ])("%j is %s, for %j", async (status, expected, fields) => {
    expect(await stateWith({ ...fields, status })).toMatchObject({ status: expected, rawStatus: status });
  });

  it.each([
    { status: "paused", pause: { mode: "tomorrow", resumes_at: null } },
    { status: "a_status_of_tomorrow" },
    { status: "" },
  ])("is unknown for what Lemon Squeezy does not document: %j", async (fields) => {
    const subscription = fake.state.subscriptions.find((one) => String(one.id) === id)!;
    Object.assign(subscription, usual, fields);
    const state = await outsideContract(() => fake.provider.subscription(id));
    expect(state).toMatchObject({ status: null, rawStatus: fields.status });
  });
});

describe("the end of a subscription", () => {
  it.each<[string, Partial<FakeLemonSqueezySubscription>, Partial<SubscriptionState>]>([
    ["no cancellation", {}, { cancelAtPeriodEnd: false, canceledAt: null }],
    [
      "canceled",
      { ...cancelled, endsAt: later },
      { cancelAtPeriodEnd: true, canceledAt: clock.now(), cancelAt: later },
    ],
    [
      "ended",
      { status: "expired", cancelled: true, endsAt: earlier },
      { cancelAtPeriodEnd: false, canceledAt: earlier },
    ],
    [
      "ended, but Lemon Squeezy still says canceled",
      { ...cancelled, endsAt: earlier },
      { cancelAtPeriodEnd: false, canceledAt: earlier },
    ],
    ["ended without a payment", { status: "expired", endsAt: earlier }, { canceledAt: null }],
  ])("is mapped: %s", async (_what, fields, expected) => {
    expect(await stateWith(fields)).toMatchObject(expected);
  });
});

describe("the period of a subscription", () => {
  it.each<[string, [unit: "day" | "week" | "month" | "year", count: number], string]>([
    ["a day", ["day", 1], "2026-03-30T09:00:00.000Z"],
    ["ten days", ["day", 10], "2026-03-21T09:00:00.000Z"],
    ["two weeks", ["week", 2], "2026-03-17T09:00:00.000Z"],
    ["a month, from the month's last day", ["month", 1], "2026-02-28T09:00:00.000Z"],
    ["a quarter", ["month", 3], "2025-12-31T09:00:00.000Z"],
    ["a year", ["year", 1], "2025-03-31T09:00:00.000Z"],
  ])("begins %s before it ends", async (_what, [unit, count], expected) => {
    fake.state.variants[0]!.price = fixedPrice(900, unit, count);
    const renewsAt = new Date("2026-03-31T09:00:00.000Z");
    expect(await stateWith({ renewsAt })).toMatchObject({
      currentPeriodStart: new Date(expected),
      currentPeriodEnd: renewsAt,
    });
  });

  it("begins no earlier than the subscription", async () => {
    expect(await stateWith({ createdAt: earlier })).toMatchObject({ currentPeriodStart: earlier });
  });

  const onTrial = { status: "on_trial", isTrial: true } as const;

  it.each<[string, Partial<FakeLemonSqueezySubscription>]>([
    ["one that goes on", onTrial],
    ["one that is canceled, which Lemon Squeezy no longer calls a trial", { ...onTrial, ...cancelled }],
  ])("covers a trial of any length: %s", async (_what, fields) => {
    const createdAt = new Date("2025-11-01T00:00:00.000Z");
    const endsAt = fields.cancelled === true ? later : null;
    const period = { currentPeriodStart: createdAt, currentPeriodEnd: later, isTrial: true };
    expect(await stateWith({ ...fields, createdAt, endsAt })).toMatchObject(period);
  });

  it.each([
    ["active", false],
    ["past_due", true],
    ["unpaid", true],
  ] as const)("of one that is %s is a guess: %s", async (status, isPeriodEstimated) => {
    expect(await stateWith({ status })).toMatchObject({ isPeriodEstimated, isTrial: false });
  });

  it("is not paid by a cancellation, whatever the status says", async () => {
    expect(await stateWith({ ...cancelled, endsAt: later })).toMatchObject({
      status: "ACTIVE",
      isPeriodPaid: false,
      isTrial: false,
    });
  });

  it("is not paid in a pause, also not in one with mode free", async () => {
    const free = { status: "ACTIVE", isPeriodPaid: false };
    expect(await stateWith(paused("free"))).toMatchObject(free);
    expect(await stateWith({})).toMatchObject({ status: "ACTIVE", isPeriodPaid: true });
  });

  it("begins with the subscription if the variant no longer names an interval", async () => {
    fake.state.variants[0]!.price.renewal_interval_unit = null;
    expect(await stateWith({ createdAt: earlier })).toMatchObject({ currentPeriodStart: earlier });
  });

  it.each<[string, Partial<FakeLemonSqueezySubscription>, Date]>([
    ["it renews, even with an end date", { renewsAt: later, endsAt: earlier }, later],
    ["it ends, if it does not renew", { renewsAt: null, endsAt: later }, later],
    ["it began, if it does neither", { renewsAt: null, endsAt: null, createdAt: earlier }, earlier],
  ])("ends when %s", async (_what, fields, end) => {
    const { currentPeriodStart, currentPeriodEnd } = await stateWith(fields);
    expect(currentPeriodEnd).toEqual(end);
    expect(currentPeriodStart.getTime()).toBeLessThanOrEqual(end.getTime());
  });

  it("never begins after its end", async () => {
    const createdAt = new Date("2026-03-20T09:00:01.000Z");
    expect(await stateWith({ createdAt, endsAt: later, renewsAt: null })).toMatchObject({
      currentPeriodStart: later,
    });
  });
});

describe("the plans of a catalog", () => {
  const monthly = fixedPrice(900, "month");

  it.each<[string, Partial<FakeLemonSqueezyVariant["price"]>]>([
    ["not a one-time price", { category: "one_time", renewal_interval_unit: null }],
    ["not a price that the customer chooses", { category: "pwyw" }],
    ["not a free product for an address", { category: "lead_magnet" }],
    ["not a package price", { scheme: "package" }],
    ["not a graduated price", { scheme: "graduated" }],
    ["not a volume price", { scheme: "volume" }],
    ["not a usage-based price", { usage_aggregation: "sum", unit_price: null }],
    ["not a missing price", { unit_price: null }],
  ])("contain only fixed prices for an interval: %s", async (_what, price) => {
    fake.state.variants[0]!.price = { ...monthly, ...price };
    expect((await fake.provider.plans()).map(({ name }) => name)).toEqual(["Team"]);
  });

  it("contain no price for an unknown interval", async () => {
    Object.assign(fake.state.variants[0]!.price, { renewal_interval_unit: "fortnight" });
    const plans = await outsideContract(() => fake.provider.plans());
    expect(plans.map(({ name }) => name)).toEqual(["Team"]);
  });

  it.each<[FakeLemonSqueezyVariant["status"], string[]]>([
    ["published", ["1001"]],
    ["pending", ["1001"]],
    ["draft", []],
  ])("contain an only variant that is %s as %j", async (status, expected) => {
    fake.state.variants[0]!.status = status;
    const solo = (await fake.provider.plans()).find(({ id: plan }) => plan === "101");
    expect(solo?.variants.map((variant) => variant.id) ?? []).toEqual(expected);
  });

  it("omit draft products, and products without variants", async () => {
    fake.state.products[0]!.status = "draft";
    fake.state.variants = fake.state.variants.filter(({ product_id }) => product_id !== 102);
    expect(await fake.provider.plans()).toEqual([]);
  });

  it("order variants by interval, then interval count, then price", async () => {
    const prices: ["day" | "week" | "month" | "year", number, number][] = [
      ["year", 1, 100],
      ["month", 3, 50],
      ["month", 1, 90],
      ["month", 1, 10],
      ["week", 2, 99],
      ["day", 30, 1000],
    ];
    fake.state.variants = prices.map(([unit, count, price], index) => ({
      id: index + 1,
      product_id: 101,
      name: unit,
      status: "published",
      price: fixedPrice(price, unit, count),
    }));
    const [plan] = await fake.provider.plans();
    expect(plan?.variants.map((variant) => variant.id)).toEqual(["6", "5", "4", "3", "2", "1"]);
  });

  it("have amounts in minor units of the store's currency", async () => {
    fake.state.stores[0]!.currency = "JPY";
    const [plan] = await fake.provider.plans();
    expect(plan?.variants).toMatchObject([{ price: 900, currency: "JPY" }]);
  });

  it("have plain-text descriptions", async () => {
    fake.state.products[0]!.description =
      "<h2>Solo</h2>\n<p>For <b>one</b> &amp; only:<br>you &lt;3</p><ul><li>a&#39;s</li><li>&amp;lt;</li></ul><img src='x'>";
    expect((await fake.provider.plans())[0]?.description).toBe("Solo\nFor one & only:\nyou <3\na's\n&lt;");
  });
});
