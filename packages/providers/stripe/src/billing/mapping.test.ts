import { describe, expect, it } from "vitest";
import {
  type FakePrice,
  fakePrice,
  fakeProduct,
  fakeRecurring,
  fakeSubscription,
} from "../fake/billing/objects.ts";
import {
  Price,
  Product,
  Subscription,
  isStripeSubscriptionId,
  plansOf,
  stateOf,
  statusOf,
} from "./mapping.ts";

describe("statusOf", () => {
  it.each([
    ["active", "ACTIVE"],
    ["trialing", "ACTIVE"],
    ["past_due", "PAST_DUE"],
    ["unpaid", "UNPAID"],
    ["paused", "UNPAID"],
    ["incomplete", "INCOMPLETE"],
    ["canceled", "CANCELED"],
    ["incomplete_expired", "CANCELED"],
    ["a_new_status", null],
    ["ACTIVE", null],
    ["constructor", null],
  ])("maps %s to %s", (theirs, ours) => {
    expect(statusOf(theirs)).toBe(ours);
  });
});

describe("isStripeSubscriptionId", () => {
  it.each([
    ["sub_1MowQVLkdIwHu7ixeRlqHVzs", true],
    ["sub_JgRjFjhKbtD2qz", true],
    ["sub_", false],
    ["sub_1/../../customers", false],
    ["cus_1MowQVLkdIwHu7ix", false],
    ["33", false],
    ["", false],
  ])("%j: %s", (id, isOne) => {
    expect(isStripeSubscriptionId(id)).toBe(isOne);
  });
});

const product = fakeProduct();
const price = (fields: Partial<FakePrice> = {}) => fakePrice({ product: product.id, ...fields });

const plans = (products: unknown[], prices: unknown[]) =>
  plansOf(Product.array().parse(products), Price.array().parse(prices));

describe("plansOf", () => {
  it("maps a product to a plan and its prices to variants", () => {
    const yearly = price({
      recurring: fakeRecurring({ interval: "year", interval_count: 2 }),
      currency: "usd",
    });
    expect(plans([{ ...product, description: "For a company" }], [yearly])).toEqual([
      {
        id: product.id,
        name: "Team",
        description: "For a company",
        storeId: null,
        variants: [{ id: yearly.id, price: 2900, currency: "USD", interval: "year", interval_count: 2 }],
      },
    ]);
  });

  it("keeps the order of the products, and sorts variants by interval and price", () => {
    const other = fakeProduct();
    const recurring = (interval: "day" | "week" | "month" | "year", interval_count = 1) => ({
      recurring: fakeRecurring({ interval, interval_count }),
    });
    const prices = [
      price({ ...recurring("year"), unit_amount: 1 }),
      price({ ...recurring("month", 3), unit_amount: 2 }),
      price({ ...recurring("month"), unit_amount: 4 }),
      price({ ...recurring("month"), unit_amount: 3 }),
      price({ ...recurring("week"), unit_amount: 5 }),
      price({ ...recurring("day"), unit_amount: 6 }),
      fakePrice({ product: other.id }),
    ];
    const listed = plans([other, product], prices);
    expect(listed.map(({ id }) => id)).toEqual([other.id, product.id]);
    expect(listed[1]?.variants.map((variant) => variant.price)).toEqual([6, 5, 3, 4, 2, 1]);
  });

  it.each<[string, Partial<FakePrice>]>([
    ["archived", { active: false }],
    ["one-time", { type: "one_time", recurring: null }],
    ["metered", { recurring: fakeRecurring({ usage_type: "metered", meter: "mtr_1" }) }],
    ["tiered", { billing_scheme: "tiered", unit_amount: null }],
    ["a fraction of the smallest unit", { unit_amount: null }],
    ["per package", { transform_quantity: { divide_by: 5, round: "up" } }],
    ["for an unknown interval", { recurring: fakeRecurring({ interval: "fortnight" }) }],
    ["in an unknown currency", { currency: "xyz" }],
    ["half an Icelandic krona", { currency: "isk", unit_amount: 50 }],
    ["beyond the safe integers", { currency: "mga", unit_amount: Number.MAX_SAFE_INTEGER }],
    ["another product's", { product: "prod_other" }],
  ])("omits a price that is %s, and a plan without another price", (_case, fields) => {
    expect(plans([product], [price(fields)])).toEqual([]);
    expect(plans([product], [price(fields), price()])[0]?.variants).toHaveLength(1);
  });

  it("omits an archived product", () => {
    expect(plans([{ ...product, active: false }], [price()])).toEqual([]);
  });

  it("accepts a price of zero and an empty description", () => {
    expect(plans([{ ...product, description: "" }], [price({ unit_amount: 0 })])).toMatchObject([
      { description: null, variants: [{ price: 0 }] },
    ]);
  });

  it.each([
    ["eur", 2900, 2900],
    ["jpy", 2900, 2900],
    ["kwd", 29_000, 29_000],
    ["huf", 290_000, 290_000],
    ["twd", 90_000, 90_000],
    // Stripe's special cases.
    ["isk", 70_000, 700],
    ["ugx", 700, 7],
    ["mga", 29, 2900],
  ])("converts %s %i to %i minor units of ISO 4217", (currency, amount, minor) => {
    expect(plans([product], [price({ currency, unit_amount: amount })])[0]?.variants[0]?.price).toBe(minor);
  });
});

const start = Date.UTC(2026, 2, 2, 9) / 1000;
const bought = { customer: "cus_1", price: price(), metadata: { purser_organization: "org_1" } };
const subscription = fakeSubscription(bought, start);
const state = (fields: object = {}) => stateOf(Subscription.parse({ ...subscription, ...fields }));
const hour = 3600;

describe("stateOf", () => {
  it("maps a new subscription", () => {
    expect(state()).toEqual({
      id: subscription.id,
      customerId: "cus_1",
      organizationId: "org_1",
      status: "ACTIVE",
      rawStatus: "active",
      planId: product.id,
      variantId: bought.price.id,
      currentPeriodStart: new Date("2026-03-02T09:00:00Z"),
      currentPeriodEnd: new Date("2026-04-02T09:00:00Z"),
      canceledAt: null,
      cancelAtPeriodEnd: false,
    });
  });

  it("uses the latest start and the earliest end of the items' periods, and the oldest item's plan", () => {
    const [first] = subscription.items.data;
    const added = {
      ...first!,
      created: start + hour,
      price: price({ product: "prod_added" }),
      current_period_start: start + hour,
      current_period_end: first!.current_period_end - hour,
    };
    const result = state({ items: { data: [added, first] } });
    expect(result).toMatchObject({ planId: product.id, variantId: bought.price.id });
    expect(result.currentPeriodStart).toEqual(new Date("2026-03-02T10:00:00Z"));
    expect(result.currentPeriodEnd).toEqual(new Date("2026-04-02T08:00:00Z"));
  });

  it.each([
    ["neither", {}, false],
    ["the flag", { cancel_at_period_end: true }, true],
    ["the date, as the portal sets it", { cancel_at: start + hour }, true],
    ["both", { cancel_at_period_end: true, cancel_at: start + hour }, true],
    ["both, after the end", { cancel_at_period_end: true, cancel_at: start, ended_at: start }, false],
  ])("cancels at the end of the period by %s: %s", (_case, fields, isEnding) => {
    expect(state(fields).cancelAtPeriodEnd).toBe(isEnding);
  });

  it("has the time of the cancellation", () => {
    expect(state({ canceled_at: start }).canceledAt).toEqual(new Date("2026-03-02T09:00:00Z"));
  });

  it("keeps the raw status of an unknown one", () => {
    expect(state({ status: "dormant" })).toMatchObject({ status: null, rawStatus: "dormant" });
    expect(state({ status: "x".repeat(300) }).rawStatus).toHaveLength(255);
  });

  it.each([
    ["none", {}],
    ["an empty one", { purser_organization: "" }],
    ["one of 300 characters", { purser_organization: "x".repeat(300) }],
  ])("has no organization if the metadata holds %s", (_case, metadata) => {
    expect(state({ metadata }).organizationId).toBeNull();
  });

  it("reads expanded objects", () => {
    const [item] = subscription.items.data;
    const items = { data: [{ ...item, price: { ...item!.price, product } }] };
    expect(state({ customer: { id: "cus_1", deleted: true }, items })).toEqual(state());
  });
});
