import { randomUUID } from "node:crypto";
import type { models } from "@polar-sh/sdk/2026-10";
import { describe, expect, it } from "vitest";
import { type Price, priceOf, productOf, usagePriceOf } from "./fake/catalog.ts";
import {
  PolarProduct,
  PolarSubscription,
  isPolarId,
  polarOrganizationId,
  polarPlan,
  polarSubscriptionState,
} from "./mapping.ts";

const plan = (prices: Price[], fields: Partial<models.Product> = {}) =>
  polarPlan(PolarProduct.parse(productOf("Team", prices, fields)));
const prices = (...made: Price[]) => plan(made)?.variants.map(({ price, currency }) => [price, currency]);

describe("planOf", () => {
  it("tells a product, its price and the interval that the product has", () => {
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

  it("tells the price of each currency, the lowest first", () => {
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
    ["bought once and for all", { recurring_interval: null, recurring_interval_count: null }],
    ["for an interval of tomorrow", { recurring_interval: "decade" as never }],
  ])("leaves out what is %s", (_what, fields) => {
    expect(plan([priceOf(2900)], fields)).toBeNull();
  });

  it.each<[string, Price[]]>([
    ["no price", []],
    ["an archived price", [priceOf(2900, "usd", { is_archived: true })]],
    ["a price for usage", [usagePriceOf()]],
    ["a price for usage beside the fixed one", [priceOf(2900), usagePriceOf()]],
    ["two prices in one currency", [priceOf(2900), priceOf(3900)]],
    ["a price of another kind", [{ ...priceOf(2900), amount_type: "of_tomorrow" } as never]],
    ["a part of the smallest unit", [priceOf(7050, "isk")]],
  ])("leaves out what has %s", (_what, made) => {
    expect(plan(made)).toBeNull();
  });

  it("tells a price although others are archived, or of another currency for usage", () => {
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
    // Without decimals in ISO 4217, but not at Polar.
    ["isk", 7000, 70],
    ["ugx", 200_000, 2000],
    // The other way round.
    ["mga", 3000, 300_000],
  ])("counts %s %i as %i minor units", (currency, amount, minor) => {
    expect(prices(priceOf(amount, currency))).toEqual([[minor, currency.toUpperCase()]]);
  });
});

const fixed = priceOf(2900);
const told = {
  id: randomUUID(),
  status: "active",
  customer_id: randomUUID(),
  product_id: randomUUID(),
  prices: [usagePriceOf(), fixed],
  current_period_start: "2026-03-02T09:00:00.123456Z",
  current_period_end: "2026-04-02T09:00:00+00:00",
  cancel_at_period_end: false,
  canceled_at: null as string | null,
  ended_at: null as string | null,
  metadata: { purser_organization: "org_1", purser_checkout: "chk_1" } as object | undefined,
  customer: { external_id: "org_1" } as object | undefined,
};
const state = (fields: Partial<typeof told> = {}) =>
  polarSubscriptionState(PolarSubscription.parse({ ...told, ...fields }));

describe("stateOf", () => {
  it.each([
    ["active", "ACTIVE"],
    ["trialing", "ACTIVE"],
    ["past_due", "PAST_DUE"],
    ["unpaid", "UNPAID"],
    ["paused", "UNPAID"],
    ["incomplete", "INCOMPLETE"],
    ["canceled", "CANCELED"],
    ["incomplete_expired", "CANCELED"],
    ["status_of_tomorrow", null],
    ["constructor", null],
    ["", null],
  ])("takes %s for %s, and keeps Polar's word", (rawStatus, status) => {
    expect(state({ status: rawStatus })).toMatchObject({ status, rawStatus });
  });

  it("tells a subscription", () => {
    expect(state()).toEqual({
      id: told.id,
      customerId: told.customer_id,
      organizationId: "org_1",
      status: "ACTIVE",
      rawStatus: "active",
      planId: told.product_id,
      variantId: fixed.id,
      currentPeriodStart: new Date("2026-03-02T09:00:00.123Z"),
      currentPeriodEnd: new Date("2026-04-02T09:00:00Z"),
      canceledAt: null,
      cancelAtPeriodEnd: false,
    });
  });

  it("tells that it will end, until it has ended", () => {
    const ending = { cancel_at_period_end: true, canceled_at: "2026-03-05T10:00:00Z" };
    const canceledAt = new Date("2026-03-05T10:00:00Z");
    expect(state(ending)).toMatchObject({ cancelAtPeriodEnd: true, canceledAt });
    // Polar leaves it so afterwards.
    const ended = { cancelAtPeriodEnd: false, canceledAt };
    expect(state({ ...ending, status: "canceled" })).toMatchObject(ended);
    expect(state({ ...ending, ended_at: "2026-04-02T09:00:00Z" })).toMatchObject(ended);
  });

  it("names as its variant what there is", () => {
    const usage = usagePriceOf();
    expect(state({ prices: [usage] }).variantId).toBe(usage.id);
    expect(state({ prices: [] }).variantId).toBe(told.product_id);
  });

  it("keeps 255 characters of Polar's word", () => {
    expect(state({ status: "x".repeat(300) }).rawStatus).toBe("x".repeat(255));
  });

  it.each([{ id: "1" }, { customer_id: "" }, { current_period_end: "soon" }, { cancel_at_period_end: "no" }])(
    "does not read %j",
    (fields) => {
      expect(PolarSubscription.safeParse({ ...told, ...fields }).success).toBe(false);
    },
  );
});

describe("organizationOf", () => {
  const of = (metadata: unknown, customer: unknown) =>
    polarOrganizationId(PolarSubscription.parse({ ...told, metadata, customer }));

  it("is what stands in the metadata, or else what the customer is called here", () => {
    expect(of({ purser_organization: "org_1" }, { external_id: "org_2" })).toBe("org_1");
    expect(of({ other: "org_1" }, { external_id: "org_2" })).toBe("org_2");
    expect(of({ purser_organization: 1 }, { external_id: "org_2" })).toBe("org_2");
  });

  it.each([
    [{}, {}],
    [undefined, undefined],
    [null, { external_id: null }],
    ["org_1", []],
    [{ purser_organization: "" }, { external_id: "x".repeat(256) }],
  ])("is nobody for %j and %j", (metadata, customer) => {
    expect(of(metadata, customer)).toBeNull();
  });
});

describe("isPolarId", () => {
  it.each([
    ["0199a1b2-c3d4-4e5f-8a9b-0c1d2e3f4a5b", true],
    ["0199A1B2-C3D4-4E5F-8A9B-0C1D2E3F4A5B", true],
    ["sub_01h8", false],
    ["..", false],
    ["", false],
    ["0199a1b2-c3d4-4e5f-8a9b-0c1d2e3f4a5b/../x", false],
    ["0199a1b2-c3d4-4e5f-8a9b-0c1d2e3f4a5b\n", false],
  ])("is for %j %s", (id, isOne) => {
    expect(isPolarId(id)).toBe(isOne);
  });
});
