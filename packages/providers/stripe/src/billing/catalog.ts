import type { Plan, Variant } from "@purser/billing/ports";
import { billingIntervals, currencyExponent, isCurrency } from "@purser/core";
import { z } from "zod";
import { Reference, type StripeCall, StripeId, listAllPages } from "../client.ts";

export const StripeProduct = z.object({
  id: StripeId,
  // Missing on a deleted product.
  active: z.boolean().default(false),
  name: z.string(),
  description: z.string().nullable(),
});

export const StripePrice = z.object({
  id: StripeId,
  active: z.boolean(),
  billing_scheme: z.string(),
  currency: z.string(),
  product: Reference,
  recurring: z.object({ interval: z.string(), interval_count: z.int(), usage_type: z.string() }).nullable(),
  transform_quantity: z.unknown().optional(),
  unit_amount: z.int().nullable(),
});

/** Lists the active products that have a fixed recurring price, newest first as Stripe lists them. */
export async function listStripePlans(call: StripeCall): Promise<Plan[]> {
  const [products, prices] = await Promise.all([
    listAllPages(call, "products.list", StripeProduct, (stripe, page, options) =>
      stripe.products.list({ active: true, ...page }, options),
    ),
    listAllPages(call, "prices.list", StripePrice, (stripe, page, options) =>
      stripe.prices.list({ active: true, type: "recurring", ...page }, options),
    ),
  ]);
  return stripePlans(products, prices);
}

/** Maps active products with at least one sellable price to plans. Variants are sorted by interval, then price. */
export function stripePlans(
  products: z.infer<typeof StripeProduct>[],
  prices: z.infer<typeof StripePrice>[],
): Plan[] {
  const variants = Map.groupBy(prices, ({ product }) => product);
  return products
    .filter(({ active }) => active)
    .map(({ id, name, description }) => ({
      id,
      name,
      description: description || null,
      storeId: null,
      variants: (variants.get(id) ?? [])
        .map(stripeVariant)
        .filter((variant) => variant !== null)
        .toSorted(byIntervalAndPrice),
    }))
    .filter((plan) => plan.variants.length > 0);
}

/** Maps a price to a variant; null if it is inactive or not a fixed amount per interval. */
export function stripeVariant(price: Omit<z.infer<typeof StripePrice>, "product">): Variant | null {
  const { id, recurring, unit_amount: amount } = price;
  const currency = price.currency.toUpperCase();
  const interval = billingIntervals.find((known) => known === recurring?.interval);
  // The cost of a metered, tiered or per-package price depends on usage.
  const isFixed =
    price.billing_scheme === "per_unit" && recurring?.usage_type === "licensed" && !price.transform_quantity;
  if (!price.active || !isFixed || interval === undefined || amount === null || !isCurrency(currency))
    return null;
  const inMinorUnits = minorUnitsOf(amount, currency);
  if (!Number.isSafeInteger(inMinorUnits)) return null;
  return { id, price: inMinorUnits, currency, interval, interval_count: recurring.interval_count };
}

/**
 * The currencies whose amounts have another number of decimals at Stripe than in ISO 4217. See
 * https://docs.stripe.com/currencies#special-cases.
 */
const stripeExponents: Readonly<Record<string, number>> = { ISK: 2, UGX: 2, MGA: 0 };

function minorUnitsOf(amount: number, currency: string): number {
  const exponent = currencyExponent(currency);
  const shift = exponent - (stripeExponents[currency] ?? exponent);
  // Divides because a multiplication by 0.01 is inexact.
  return shift < 0 ? amount / 10 ** -shift : amount * 10 ** shift;
}

function byIntervalAndPrice(one: Variant, other: Variant): number {
  return (
    billingIntervals.indexOf(one.interval) - billingIntervals.indexOf(other.interval) ||
    one.interval_count - other.interval_count ||
    one.price - other.price
  );
}
