import type { models } from "@polar-sh/sdk/2026-10";
import { describe, expect, it } from "vitest";
import { PolarProduct, polarPlan } from "./catalog.ts";
import { type FakePolarPrice, priceOf, productOf, usagePriceOf } from "./fake/catalog.ts";

const plan = (prices: FakePolarPrice[], fields: Partial<models.Product> = {}) =>
  polarPlan(PolarProduct.parse(productOf("Team", prices, fields)));
const prices = (...made: FakePolarPrice[]) =>
  plan(made)?.variants.map(({ price, currency }) => [price, currency]);

describe("polarPlan", () => {
  it("maps a product, its price and its interval", () => {
    const price = priceOf(2900);
    const product = productOf("Team", [price], {
      description: "For many",
      recurring_interval: "week",
      recurring_interval_count: 2,
    });
    expect(polarPlan(PolarProduct.parse(product))).toEqual({
      id: product.id,
      name: "Team",
      description: "For many",
      storeId: null,
      variants: [{ id: price.id, price: 2900, currency: "USD", interval: "week", interval_count: 2 }],
    });
  });

  it("maps the trial of a product", () => {
    const product = { trial_interval: "month", trial_interval_count: 1 } as const;
    expect(plan([priceOf(2900)], product)?.variants).toMatchObject([
      { price: 2900, trial: { interval: "month", interval_count: 1 } },
    ]);
  });

  it("lists the prices of all currencies, lowest first", () => {
    expect(prices(priceOf(2900), priceOf(2700, "eur"), priceOf(0, "gbp"))).toEqual([
      [0, "GBP"],
      [2700, "EUR"],
      [2900, "USD"],
    ]);
  });

  it.each<[string, Partial<models.Product>]>([
    ["archived", { is_archived: true }],
    ["a draft", { visibility: "draft" }],
    ["private", { visibility: "private" }],
    ["a one-time purchase", { recurring_interval: null, recurring_interval_count: null }],
    ["of an unknown interval", { recurring_interval: "decade" as never }],
  ])("omits a product that is %s", (_what, fields) => {
    expect(plan([priceOf(2900)], fields)).toBeNull();
  });

  it.each<[string, FakePolarPrice[]]>([
    ["no price", []],
    ["an archived price", [priceOf(2900, "usd", { is_archived: true })]],
    ["a usage-based price", [usagePriceOf()]],
    ["a usage-based price with the fixed one", [priceOf(2900), usagePriceOf()]],
    ["two prices in one currency", [priceOf(2900), priceOf(3900)]],
    ["a price of an unknown kind", [{ ...priceOf(2900), amount_type: "future_type" } as never]],
    ["an amount that is not whole in minor units", [priceOf(7050, "isk")]],
  ])("omits a product with %s", (_what, made) => {
    expect(plan(made)).toBeNull();
  });

  it("lists a price with archived ones and usage prices in another currency", () => {
    const archived = priceOf(1900, "usd", { is_archived: true });
    expect(prices(archived, priceOf(2900), usagePriceOf("eur"))).toEqual([[2900, "USD"]]);
  });

  it.each([
    ["usd", 2900, 2900],
    ["jpy", 500, 500],
    ["krw", 9900, 9900],
    ["clp", 4900, 4900],
    ["huf", 349_900, 349_900],
    ["twd", 30_000, 30_000],
    // No decimals in ISO 4217, but decimals at Polar.
    ["isk", 7000, 70],
    ["ugx", 200_000, 2000],
    // Decimals in ISO 4217, but none at Polar.
    ["mga", 3000, 300_000],
  ])("converts %s %i to %i minor units", (currency, amount, minor) => {
    expect(prices(priceOf(amount, currency))).toEqual([[minor, currency.toUpperCase()]]);
  });
});
