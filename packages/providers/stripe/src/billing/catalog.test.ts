import { describe, expect, it } from "vitest";
import { type FakePrice, fakePrice, fakeProduct, fakeRecurring } from "../fake/billing/objects.ts";
import { StripePrice, StripeProduct, stripePlans } from "./catalog.ts";

const product = fakeProduct();
const price = (fields: Partial<FakePrice> = {}) => fakePrice({ product: product.id, ...fields });

const plans = (products: unknown[], prices: unknown[]) =>
  stripePlans(StripeProduct.array().parse(products), StripePrice.array().parse(prices));

describe("stripePlans", () => {
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
