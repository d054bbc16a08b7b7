import { describe, expect, it } from "vitest";
import type { SubscriptionStatus } from "@purser/billing/ports";
import {
  PaddleSubscription,
  isPaddleId,
  paddlePlans,
  paddleSubscriptionState,
  paddleVariant,
} from "./mapping.ts";

const price: Parameters<typeof paddleVariant>[0] = {
  id: "pri_1",
  status: "active",
  type: "standard",
  billingCycle: { interval: "month", frequency: 1 },
  unitPrice: { amount: "2900", currencyCode: "EUR" },
  quantity: { minimum: 1 },
};
const variant = { id: "pri_1", price: 2900, currency: "EUR", interval: "month", interval_count: 1 };
const product = {
  id: "pro_1",
  status: "active",
  type: "standard",
  name: "Team",
  description: "For the whole team",
  prices: [price],
};
const plan = {
  id: "pro_1",
  name: "Team",
  description: "For the whole team",
  storeId: null,
  variants: [variant],
};

describe("variantOf", () => {
  it.each([
    [{}, {}],
    [{ billingCycle: { interval: "week", frequency: 2 } }, { interval: "week", interval_count: 2 }],
    [{ unitPrice: { amount: "0", currencyCode: "USD" } }, { price: 0, currency: "USD" }],
    // Paddle's smallest units are those of ISO 4217.
    [{ unitPrice: { amount: "1000", currencyCode: "JPY" } }, { price: 1000, currency: "JPY" }],
  ])("gives a price with %j as %j", (fields, told) => {
    expect(paddleVariant({ ...price, ...fields })).toEqual({ ...variant, ...told });
  });

  it.each([
    { status: "archived" },
    { type: "custom" },
    { billingCycle: null },
    { billingCycle: { interval: "fortnight", frequency: 1 } },
    { quantity: { minimum: 5 } },
    { unitPrice: { amount: "29.00", currencyCode: "EUR" } },
    { unitPrice: { amount: "-1", currencyCode: "EUR" } },
    { unitPrice: { amount: "", currencyCode: "EUR" } },
    { unitPrice: { amount: "9007199254740993", currencyCode: "EUR" } },
    { unitPrice: { amount: "2900", currencyCode: "€" } },
  ])("leaves out a price with %j", (fields) => {
    expect(paddleVariant({ ...price, ...fields })).toBeNull();
  });
});

describe("plansOf", () => {
  it("keeps Paddle's order of products, and sorts what each costs by interval and price", () => {
    const cycles = [
      ["pri_y", "year", 1, "100"],
      ["pri_3m", "month", 3, "100"],
      ["pri_m2", "month", 1, "300"],
      ["pri_m1", "month", 1, "200"],
      ["pri_d", "day", 30, "900"],
    ] as const;
    const prices = cycles.map(([id, interval, frequency, amount]) => ({
      ...price,
      id,
      billingCycle: { interval, frequency },
      unitPrice: { amount, currencyCode: "EUR" },
    }));
    const plans = paddlePlans([{ ...product, id: "pro_2", prices }, product]);
    expect(plans.map(({ id }) => id)).toEqual(["pro_2", "pro_1"]);
    expect(plans[0]?.variants.map(({ id }) => id)).toEqual(["pri_d", "pri_m1", "pri_m2", "pri_3m", "pri_y"]);
    expect(plans[1]).toEqual(plan);
  });

  it.each([
    { status: "archived" },
    { type: "custom" },
    { prices: null },
    { prices: [] },
    { prices: [{ ...price, billingCycle: null }] },
  ])("leaves out a product with %j", (fields) => {
    expect(paddlePlans([{ ...product, ...fields }])).toEqual([]);
  });

  it("has no empty descriptions", () => {
    expect(paddlePlans([{ ...product, description: "" }])).toEqual([{ ...plan, description: null }]);
  });
});

const at = (day: number) => `2026-03-${String(day).padStart(2, "0")}T09:00:00.000Z`;
const date = (day: number) => new Date(at(day));

const item = {
  createdAt: at(1),
  previouslyBilledAt: at(1) as string | null,
  price: { id: "pri_1", productId: "pro_1" },
};
const subscription = {
  id: "sub_1",
  status: "active",
  customerId: "ctm_1",
  createdAt: at(1),
  updatedAt: at(5),
  startedAt: at(1) as string | null,
  pausedAt: null as string | null,
  canceledAt: null as string | null,
  currentBillingPeriod: { startsAt: at(1), endsAt: at(31) } as { startsAt: string; endsAt: string } | null,
  scheduledChange: null as { action: string; effectiveAt: string } | null,
  items: [item],
  customData: { purser_organization: "org_1", purser_checkout: "chk_1" } as unknown,
};
const state = (fields: Partial<typeof subscription> = {}) =>
  paddleSubscriptionState(PaddleSubscription.parse({ ...subscription, ...fields }));

describe("stateOf", () => {
  it("gives a subscription as we know subscriptions", () => {
    expect(state()).toEqual({
      id: "sub_1",
      customerId: "ctm_1",
      organizationId: "org_1",
      checkoutId: "chk_1",
      status: "ACTIVE",
      rawStatus: "active",
      planId: "pro_1",
      variantId: "pri_1",
      currentPeriodStart: date(1),
      currentPeriodEnd: date(31),
      canceledAt: null,
      cancelAtPeriodEnd: false,
    });
  });

  it.each<[string, SubscriptionStatus | null]>([
    ["active", "ACTIVE"],
    ["trialing", "ACTIVE"],
    ["past_due", "PAST_DUE"],
    ["paused", "UNPAID"],
    ["canceled", "CANCELED"],
    ["status_of_tomorrow", null],
    ["constructor", null],
  ])("gives %s as %s", (rawStatus, status) => {
    expect(state({ status: rawStatus })).toMatchObject({ status, rawStatus });
  });

  it("keeps no more of a status than there is room for", () => {
    expect(state({ status: "x".repeat(300) }).rawStatus).toBe("x".repeat(255));
  });

  it.each([
    ["cancel", { cancelAtPeriodEnd: true, canceledAt: date(5) }],
    ["pause", { cancelAtPeriodEnd: false, canceledAt: null }],
    ["resume", { cancelAtPeriodEnd: false, canceledAt: null }],
  ])("knows what is planned: %s", (action, told) => {
    expect(state({ scheduledChange: { action, effectiveAt: at(31) } })).toMatchObject(told);
  });

  const over = { currentBillingPeriod: null };
  it.each<[string, Partial<typeof subscription>, object]>([
    [
      "ended",
      { ...over, status: "canceled", canceledAt: at(20) },
      {
        currentPeriodStart: date(1),
        currentPeriodEnd: date(20),
        canceledAt: date(20),
        cancelAtPeriodEnd: false,
      },
    ],
    [
      "ended while it was paused",
      { ...over, status: "canceled", pausedAt: at(10), canceledAt: at(20) },
      { currentPeriodEnd: date(20) },
    ],
    [
      "paused",
      { ...over, status: "paused", pausedAt: at(10) },
      { currentPeriodEnd: date(10), canceledAt: null },
    ],
    ["in a state of tomorrow", { ...over, status: "dormant" }, { currentPeriodEnd: date(5) }],
    [
      "ended before anything was paid",
      { ...over, canceledAt: at(9), startedAt: at(2), items: [{ ...item, previouslyBilledAt: null }] },
      { currentPeriodStart: date(2) },
    ],
    [
      "never started",
      { ...over, startedAt: null, items: [{ ...item, previouslyBilledAt: null }] },
      { currentPeriodStart: date(1) },
    ],
    [
      "billed at several times",
      {
        ...over,
        items: [item, { ...item, previouslyBilledAt: at(4) }, { ...item, previouslyBilledAt: at(3) }],
      },
      { currentPeriodStart: date(4) },
    ],
  ])("tells the last period of one that is %s", (_what, fields, told) => {
    expect(state(fields)).toMatchObject(told);
  });

  it("is about what was bought first", () => {
    const addition = { ...item, createdAt: at(2), price: { id: "pri_2", productId: "pro_2" } };
    expect(state({ items: [addition, item] })).toMatchObject({ planId: "pro_1", variantId: "pri_1" });
  });

  it.each([
    [null, null],
    [{}, null],
    ["org_1", null],
    [{ purser_organization: "org_1" }, null],
    [{ purser_checkout: "chk_1", purser_organization: "" }, null],
    [{ purser_checkout: "chk_1", purser_organization: 7 }, null],
    [{ purser_checkout: "chk_1", purser_organization: "x".repeat(256) }, null],
    [{ purser_checkout: "chk_1", purser_organization: "org_1", theirs: [] }, "org_1"],
  ])("finds in %j the team %s", (customData, organizationId) => {
    expect(state({ customData })).toMatchObject({ organizationId });
  });

  it("takes times to the nanosecond", () => {
    const period = { startsAt: "2026-03-01T09:00:00.123456789Z", endsAt: "2026-03-31T11:00:00.5+02:00" };
    expect(state({ currentBillingPeriod: period })).toMatchObject({
      currentPeriodStart: new Date("2026-03-01T09:00:00.123Z"),
      currentPeriodEnd: new Date("2026-03-31T09:00:00.500Z"),
    });
  });
});

describe("isIdOf", () => {
  const tail = "01hv8x29kz0t586xy6zn1a62ny";
  it.each([
    [`sub_${tail}`, true],
    [`txn_${tail}`, false],
    [`sub_${tail}a`, false],
    [`sub_${tail.toUpperCase()}`, false],
    [`sub_${tail.slice(1)}/`, false],
    [`sub_${tail}\n`, false],
    ["", false],
  ])("says of %j: %s", (id, answer) => {
    expect(isPaddleId("sub", id)).toBe(answer);
  });
});
