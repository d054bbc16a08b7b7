import type { Plan, SubscriptionState, SubscriptionStatus, Variant } from "@purser/billing/ports";
import { billingIntervals, currencyExponent, isCurrency } from "@purser/core";
import { z } from "zod";
import { Id, Reference, Timestamp } from "../mapping.ts";

/** A page that a browser is sent to. */
export const PageUrl = z.url({ protocol: /^https$/ });

/** Our metadata on an object. Someone may have edited it in the dashboard, so an invalid value reads as missing. */
export const Metadata = z.object({ purser_organization: Id.optional().catch(undefined) });

/** Whether an id has the form of Stripe's subscription ids. */
export function isStripeSubscriptionId(subscriptionId: string): boolean {
  return /^sub_\w{1,251}$/.test(subscriptionId);
}

export const Product = z.object({
  id: Id,
  // Missing on a deleted product.
  active: z.boolean().default(false),
  name: z.string(),
  description: z.string().nullable(),
});

export const Price = z.object({
  id: Id,
  active: z.boolean(),
  billing_scheme: z.string(),
  currency: z.string(),
  product: Reference,
  recurring: z.object({ interval: z.string(), interval_count: z.int(), usage_type: z.string() }).nullable(),
  transform_quantity: z.unknown().optional(),
  unit_amount: z.int().nullable(),
});

/** Maps active products with at least one sellable price to plans. Variants are sorted by interval, then price. */
export function plansOf(products: z.infer<typeof Product>[], prices: z.infer<typeof Price>[]): Plan[] {
  const variants = Map.groupBy(prices, ({ product }) => product);
  return products
    .filter(({ active }) => active)
    .map(({ id, name, description }) => ({
      id,
      name,
      description: description || null,
      storeId: null,
      variants: (variants.get(id) ?? [])
        .map(variantOf)
        .filter((variant) => variant !== null)
        .toSorted(byIntervalAndPrice),
    }))
    .filter((plan) => plan.variants.length > 0);
}

/** Maps a price to a variant; null if it is inactive or not a fixed amount per interval. */
export function variantOf(price: Omit<z.infer<typeof Price>, "product">): Variant | null {
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

export const Subscription = z.object({
  id: Id,
  customer: Reference,
  status: z.string().min(1),
  metadata: Metadata,
  items: z.object({
    data: z
      .array(
        z.object({
          created: z.int(),
          price: z.object({ id: Id, product: Reference }),
          current_period_start: Timestamp,
          current_period_end: Timestamp,
        }),
      )
      .min(1),
  }),
  cancel_at: Timestamp.nullable(),
  cancel_at_period_end: z.boolean(),
  canceled_at: Timestamp.nullable(),
  ended_at: Timestamp.nullable(),
});

const statuses: ReadonlyMap<string, SubscriptionStatus> = new Map([
  ["active", "ACTIVE"],
  ["trialing", "ACTIVE"],
  ["past_due", "PAST_DUE"],
  ["unpaid", "UNPAID"],
  ["paused", "UNPAID"],
  ["incomplete", "INCOMPLETE"],
  ["canceled", "CANCELED"],
  ["incomplete_expired", "CANCELED"],
]);

/** Maps a status; null if it is unknown. */
export function statusOf(status: string): SubscriptionStatus | null {
  return statuses.get(status) ?? null;
}

/** Maps a subscription to the state that billing stores. */
export function stateOf(subscription: z.infer<typeof Subscription>): SubscriptionState {
  const { id, customer, status, metadata, cancel_at: cancelAt, ended_at: endedAt } = subscription;
  const items = subscription.items.data;
  // The first item was bought in the checkout. Others were added later in the dashboard.
  const { price } = items.reduce((first, item) => (item.created < first.created ? item : first));
  // Periods belong to items, and may differ.
  const starts = items.map((item) => item.current_period_start.getTime());
  const ends = items.map((item) => item.current_period_end.getTime());
  return {
    id,
    customerId: customer,
    organizationId: metadata.purser_organization ?? null,
    status: statusOf(status),
    rawStatus: status.slice(0, 255),
    planId: price.product,
    variantId: price.id,
    currentPeriodStart: new Date(Math.max(...starts)),
    currentPeriodEnd: new Date(Math.min(...ends)),
    canceledAt: subscription.canceled_at,
    // Stripe does not clear the flag when the subscription ends.
    cancelAtPeriodEnd: endedAt === null && (subscription.cancel_at_period_end || cancelAt !== null),
  };
}
