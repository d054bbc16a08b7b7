import { describe, expect, it } from "vitest";
import { paddlePlans, paddleVariant } from "./catalog.ts";

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

describe("paddleVariant", () => {
  it.each([
    [{}, {}],
    [{ billingCycle: { interval: "week", frequency: 2 } }, { interval: "week", interval_count: 2 }],
    [{ trialPeriod: { interval: "day", frequency: 14 } }, { trial: { interval: "day", interval_count: 14 } }],
    [{ trialPeriod: null }, {}],
    [{ unitPrice: { amount: "0", currencyCode: "USD" } }, { price: 0, currency: "USD" }],
    // Paddle's smallest units are those of ISO 4217.
    [{ unitPrice: { amount: "1000", currencyCode: "JPY" } }, { price: 1000, currency: "JPY" }],
  ])("maps a price with %j to %j", (fields, expected) => {
    expect(paddleVariant({ ...price, ...fields })).toEqual({ ...variant, ...expected });
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
  ])("omits a price with %j", (fields) => {
    expect(paddleVariant({ ...price, ...fields })).toBeNull();
  });
});

describe("paddlePlans", () => {
  it("keeps Paddle's order of products, and sorts variants by interval and price", () => {
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
  ])("omits a product with %j", (fields) => {
    expect(paddlePlans([{ ...product, ...fields }])).toEqual([]);
  });

  it("maps an empty description to null", () => {
    expect(paddlePlans([{ ...product, description: "" }])).toEqual([{ ...plan, description: null }]);
  });
});
