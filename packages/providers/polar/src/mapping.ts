import { currencyExponent } from "@purser/core";
import { z } from "zod";
import type { Plan, SubscriptionState, SubscriptionStatus, Variant } from "@purser/billing/ports";

/** Whether an id can be one of Polar's: they are UUIDs. */
export const isPolarId = (id: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id);

export const WithPolarId = z.object({ id: z.string().refine(isPolarId) });
const Id = WithPolarId.shape.id;
const Time = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

const Price = WithPolarId.extend({
  amount_type: z.string(),
  is_archived: z.boolean(),
  price_currency: z.string().toUpperCase(),
  price_amount: z.int().nonnegative().nullish(),
});

/** A product, or what will once be one: an interval that is not known is as none. */
export const PolarProduct = WithPolarId.extend({
  name: z.string().min(1),
  description: z.string().nullable(),
  visibility: z.string(),
  is_archived: z.boolean(),
  recurring_interval: z.enum(["day", "week", "month", "year"]).nullable().catch(null),
  recurring_interval_count: z.int().positive().nullable(),
  prices: z.array(Price),
});

/** What is on sale of a product, or null. */
export function polarPlan(product: z.infer<typeof PolarProduct>): Plan | null {
  const { id, name, description, visibility, recurring_interval: interval } = product;
  // A private product is for those who are shown its checkout, a draft for nobody yet.
  if (product.is_archived || visibility !== "public" || interval === null) return null;
  const { recurring_interval_count: count } = product;
  const variants = pricesOnSale(product.prices).flatMap((price): Variant[] => {
    const amount = fixedAmount(price);
    const { id: priceId, price_currency: currency } = price;
    return amount === null
      ? []
      : [{ id: priceId, price: amount, currency, interval, interval_count: count ?? 1 }];
  });
  const inOrder = variants.toSorted((one, other) => one.price - other.price);
  return variants.length === 0 ? null : { id, name, description, storeId: null, variants: inOrder };
}

/** The prices that are all there is to pay in their currency: beside another one, for usage, none tells what it costs. */
function pricesOnSale(prices: z.infer<typeof Price>[]) {
  const active = prices.filter(({ is_archived: isArchived }) => !isArchived);
  return active.filter(
    ({ price_currency: currency }) =>
      active.filter((other) => other.price_currency === currency).length === 1,
  );
}

/**
 * How many decimals Polar's amounts have where that is not what ISO 4217 says: it charges through Stripe and counts as
 * Stripe does.
 */
const polarExponents: Readonly<Record<string, number>> = { ISK: 2, MGA: 0, UGX: 2 };

/** The amount in minor units; null where it is no fixed one, or none that can be told in them. */
function fixedAmount(price: z.infer<typeof Price>): number | null {
  const { amount_type: type, price_amount: amount, price_currency: currency } = price;
  if (type !== "fixed" || amount === null || amount === undefined) return null;
  const exponent = currencyExponent(currency);
  const minor = (amount * 10 ** exponent) / 10 ** (polarExponents[currency] ?? exponent);
  return Number.isSafeInteger(minor) ? minor : null;
}

export const CheckoutSession = WithPolarId.extend({
  url: z.url(),
  expires_at: Time,
});

const Name = z.string().min(1).max(255).nullish().catch(null);

/** Where the team stands: in the metadata, which come from its checkout, and as the customer's id of ours. */
export const PolarOwner = z.object({
  metadata: z.object({ purser_organization: Name }).nullish().catch(null),
  customer: z.object({ external_id: Name }).nullish().catch(null),
});

/** The team that a thing of Polar's belongs to; null where nothing tells. */
export function polarOrganizationId({ metadata, customer }: z.infer<typeof PolarOwner>): string | null {
  return metadata?.purser_organization ?? customer?.external_id ?? null;
}

/** Our word for each of Polar's. */
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

export const PolarSubscription = WithPolarId.extend({
  ...PolarOwner.shape,
  status: z.string(),
  customer_id: Id,
  product_id: Id,
  prices: z.array(z.object({ id: Id, amount_type: z.string() })),
  current_period_start: Time,
  current_period_end: Time,
  cancel_at_period_end: z.boolean(),
  canceled_at: Time.nullable(),
  ended_at: Time.nullable(),
});

export function polarSubscriptionState(subscription: z.infer<typeof PolarSubscription>): SubscriptionState {
  const { id, status: rawStatus, product_id: planId, prices } = subscription;
  const status = statuses.get(rawStatus) ?? null;
  // Polar leaves the wish to end as it was when the subscription has ended.
  const hasEnded = subscription.ended_at !== null || status === "CANCELED";
  // Of what is not on sale here, such as a price for usage, the first one names the variant.
  const price = prices.find(({ amount_type: type }) => type === "fixed") ?? prices[0];
  return {
    id,
    customerId: subscription.customer_id,
    organizationId: polarOrganizationId(subscription),
    status,
    rawStatus: rawStatus.slice(0, 255),
    planId,
    variantId: price?.id ?? planId,
    currentPeriodStart: subscription.current_period_start,
    currentPeriodEnd: subscription.current_period_end,
    canceledAt: subscription.canceled_at,
    cancelAtPeriodEnd: subscription.cancel_at_period_end && !hasEnded,
  };
}
