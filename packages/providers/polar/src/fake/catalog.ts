import { randomUUID } from "node:crypto";
import type { models } from "@polar-sh/sdk/2026-10";

/** The seller's organization at Polar. */
export const sellerId = randomUUID();

const created = "2026-01-05T10:00:00Z";

export type FakePolarPrice = models.Product["prices"][number];

/** A price with its amount in Polar's units. */
export function priceOf(
  amount: number,
  currency = "usd",
  fields: Partial<models.ProductPriceFixed> = {},
): FakePolarPrice {
  return {
    id: randomUUID(),
    created_at: created,
    modified_at: null,
    source: "catalog",
    amount_type: "fixed",
    price_currency: currency,
    tax_behavior: null,
    is_archived: false,
    product_id: randomUUID(),
    price_amount: amount,
    ...fields,
  };
}

/** A usage-based price. */
export function usagePriceOf(currency = "usd"): FakePolarPrice {
  const { price_amount: _amount, ...price } = priceOf(0, currency) as models.ProductPriceFixed;
  const meter_id = randomUUID();
  const meter = {
    id: meter_id,
    name: "Calls",
    unit: "scalar" as const,
    custom_label: null,
    custom_multiplier: null,
  };
  return { ...price, amount_type: "metered_unit", unit_amount: "0.5", cap_amount: null, meter_id, meter };
}

/** A product, monthly by default. */
export function productOf(
  name: string,
  prices: FakePolarPrice[],
  fields: Partial<models.Product> = {},
): models.Product {
  const id = randomUUID();
  return {
    id,
    created_at: created,
    modified_at: null,
    trial_interval: null,
    trial_interval_count: null,
    name,
    description: null,
    visibility: "public",
    recurring_interval: "month",
    recurring_interval_count: 1,
    meter_interval: null,
    meter_interval_count: null,
    is_recurring: true,
    is_archived: false,
    organization_id: sellerId,
    metadata: {},
    is_deletable: false,
    prices: prices.map((price) => ({ ...price, product_id: id })),
    benefits: [],
    medias: [],
    attached_custom_fields: [],
    ...fields,
  };
}

/** The initial catalog, newest first, as Polar lists it. */
export function newCatalog(): models.Product[] {
  return [
    productOf("Business", [priceOf(49_000)], { recurring_interval: "year", description: "For a year" }),
    productOf("Team", [priceOf(2900), priceOf(2700, "eur")]),
  ];
}
