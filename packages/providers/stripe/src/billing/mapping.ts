import { currencyExponent, isCurrency } from "@purser/core";
import { z } from "zod";
import type { Plan, SubscriptionState, SubscriptionStatus, Variant } from "@purser/billing/ports";

export const Id = z.string().min(1).max(255);
/** What is given by its id, or expanded to the thing itself. */
export const Reference = z.union([Id, z.object({ id: Id }).transform(({ id }) => id)]);
export const Time = z.int().transform((seconds) => new Date(seconds * 1000));
/** Where a browser is sent. */
export const PageUrl = z.url({ protocol: /^https$/ });

/** What we have written into a thing for us to find there, whatever others have made of it. */
export const Metadata = z.object({ purser_organization: Id.optional().catch(undefined) });

/** Whether an id has the form of Stripe's subscriptions. */
export function recognizes(subscriptionId: string): boolean {
  return /^sub_\w{1,251}$/.test(subscriptionId);
}

export const Product = z.object({
  id: Id,
  // A deleted one says nothing of it.
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

const intervals = ["day", "week", "month", "year"] as const;

/** The products that have a price we can tell, in their order; what each costs, by interval and price. */
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

/** A price as a way to pay for a plan; null where it is not on sale, or not a fixed one for an interval. */
export function variantOf(price: Omit<z.infer<typeof Price>, "product">): Variant | null {
  const { id, recurring, unit_amount: amount } = price;
  const currency = price.currency.toUpperCase();
  const interval = intervals.find((known) => known === recurring?.interval);
  // Metered, tiered and by the package: what it costs depends on how much is used.
  const isFixed =
    price.billing_scheme === "per_unit" && recurring?.usage_type === "licensed" && !price.transform_quantity;
  if (!price.active || !isFixed || interval === undefined || amount === null || !isCurrency(currency))
    return null;
  const inMinorUnits = minorUnitsOf(amount, currency);
  if (!Number.isSafeInteger(inMinorUnits)) return null;
  return { id, price: inMinorUnits, currency, interval, interval_count: recurring.interval_count };
}

/** How many decimals Stripe's amounts have where these are not as many as in ISO 4217. */
const stripeExponents: Readonly<Record<string, number>> = { ISK: 2, UGX: 2, MGA: 0 };

function minorUnitsOf(amount: number, currency: string): number {
  const exponent = currencyExponent(currency);
  const shift = exponent - (stripeExponents[currency] ?? exponent);
  // Divided, because 0.01 is no binary number.
  return shift < 0 ? amount / 10 ** -shift : amount * 10 ** shift;
}

function byIntervalAndPrice(one: Variant, other: Variant): number {
  return (
    intervals.indexOf(one.interval) - intervals.indexOf(other.interval) ||
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
          current_period_start: Time,
          current_period_end: Time,
        }),
      )
      .min(1),
  }),
  cancel_at: Time.nullable(),
  cancel_at_period_end: z.boolean(),
  canceled_at: Time.nullable(),
  ended_at: Time.nullable(),
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

/** Our word for Stripe's; null for one that is new there. */
export function statusOf(status: string): SubscriptionStatus | null {
  return statuses.get(status) ?? null;
}

/** A subscription as we know subscriptions. */
export function stateOf(subscription: z.infer<typeof Subscription>): SubscriptionState {
  const { id, customer, status, metadata, cancel_at: cancelAt, ended_at: endedAt } = subscription;
  const items = subscription.items.data;
  // What was bought in the checkout; what may stand beside it was added later, by hand.
  const { price } = items.reduce((first, item) => (item.created < first.created ? item : first));
  // Each item has a period of its own.
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
    // The flag stays when the end has come.
    cancelAtPeriodEnd: endedAt === null && (subscription.cancel_at_period_end || cancelAt !== null),
  };
}
