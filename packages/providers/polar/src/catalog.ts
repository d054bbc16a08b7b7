import { getProducts, listProducts } from "@polar-sh/sdk/2026-10/services/products";
import { BillingError, type Plan, type Variant } from "@purser/billing/ports";
import { billingIntervals, currencyExponent } from "@purser/core";
import { z } from "zod";
import { type PolarCall, WithPolarId, isPolarId, listPolarPages } from "./client.ts";

const PolarPrice = WithPolarId.extend({
  amount_type: z.string(),
  is_archived: z.boolean(),
  price_currency: z.string().toUpperCase(),
  price_amount: z.int().nonnegative().nullish(),
});

/** A product in any state. An unknown interval reads as none, so the product is not on sale here. */
export const PolarProduct = WithPolarId.extend({
  name: z.string().min(1),
  description: z.string().nullable(),
  visibility: z.string(),
  is_archived: z.boolean(),
  recurring_interval: z.enum(billingIntervals).nullable().catch(null),
  recurring_interval_count: z.int().positive().nullable(),
  trial_interval: z.enum(billingIntervals).nullish().catch(null),
  trial_interval_count: z.int().positive().nullish(),
  prices: z.array(PolarPrice),
});

export async function listPolarPlans(call: PolarCall): Promise<Plan[]> {
  const onSale = { is_archived: false, is_recurring: true, visibility: ["public" as const] };
  const products = await listPolarPages(call, "products.list", PolarProduct, (client, page, options) =>
    listProducts(client)({ ...onSale, ...page }, options),
  );
  return products.map(polarPlan).filter((plan) => plan !== null);
}

/** Returns a variant that is on sale. Throws `not_found`. */
export async function findPolarVariant(call: PolarCall, planId: string, variantId: string): Promise<Variant> {
  const product = isPolarId(planId)
    ? await call("products.get", PolarProduct, (client, options) => getProducts(client)(planId, options))
    : null;
  const plan = product && polarPlan(product);
  const variant = plan?.variants.find(({ id }) => id === variantId);
  if (variant === undefined)
    throw new BillingError("not_found", "Polar does not sell this product at this price");
  return variant;
}

/** Maps a product to a plan; null when it is not on sale. */
export function polarPlan(product: z.infer<typeof PolarProduct>): Plan | null {
  const { id, name, description, visibility, recurring_interval: interval } = product;
  // A private product is sold through its own checkout links only. A draft is not sold yet.
  if (product.is_archived || visibility !== "public" || interval === null) return null;
  const { recurring_interval_count: count, trial_interval: unit, trial_interval_count: length } = product;
  const trial = unit && length && { trial: { interval: unit, interval_count: length } };
  const variants = pricesOnSale(product.prices).flatMap((price): Variant[] => {
    const amount = fixedAmount(price);
    const { id: priceId, price_currency: currency } = price;
    if (amount === null) return [];
    return [{ id: priceId, price: amount, currency, interval, interval_count: count ?? 1, ...trial }];
  });
  const inOrder = variants.toSorted((one, other) => one.price - other.price);
  return variants.length === 0 ? null : { id, name, description, storeId: null, variants: inOrder };
}

/** Skips currencies with several prices, such as one for usage: none of those alone is what the customer pays. */
function pricesOnSale(prices: z.infer<typeof PolarPrice>[]) {
  const active = prices.filter(({ is_archived: isArchived }) => !isArchived);
  return active.filter(
    ({ price_currency: currency }) =>
      active.filter((other) => other.price_currency === currency).length === 1,
  );
}

/** Currencies in which Polar's exponent differs from ISO 4217. Polar charges through Stripe and counts like Stripe. */
const polarExponents: Readonly<Record<string, number>> = { ISK: 2, MGA: 0, UGX: 2 };

/** Returns the amount in ISO 4217 minor units; null when it is not fixed, or not a whole number of minor units. */
function fixedAmount(price: z.infer<typeof PolarPrice>): number | null {
  const { amount_type: type, price_amount: amount, price_currency: currency } = price;
  if (type !== "fixed" || amount === null || amount === undefined) return null;
  const exponent = currencyExponent(currency);
  const minor = (amount * 10 ** exponent) / 10 ** (polarExponents[currency] ?? exponent);
  return Number.isSafeInteger(minor) ? minor : null;
}
