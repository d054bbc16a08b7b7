import { isCurrency } from "@purser/core";
import { z } from "zod";
import type { Plan, SubscriptionState, SubscriptionStatus, TeamClaim, Variant } from "@purser/billing/ports";

export const PaddleId = z.string().min(1).max(255);
/** RFC 3339, to the microsecond and beyond. */
export const PaddleTime = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
/** What we have written into a thing for us to find there. Others write into it what they like. */
const CustomData = z.object({
  purser_organization: z.string().min(1).max(255),
  purser_checkout: z.string().min(1).max(255),
});

/**
 * Whose a thing is, by its custom data. The token that Paddle.js is let in with is no secret: whoever has it can begin
 * a checkout in a browser, and write any team into it.
 */
export function paddleTeamClaim(customData: unknown): TeamClaim {
  const { data } = CustomData.safeParse(customData);
  if (data === undefined) return { organizationId: null };
  return { organizationId: data.purser_organization, checkoutId: data.purser_checkout };
}

/** Whether an id has the form of Paddle's: the SDK puts whatever it is given into the path of its request. */
export function isPaddleId(prefix: "ctm" | "pri" | "sub" | "txn", id: string): boolean {
  return id.startsWith(`${prefix}_`) && /^[a-z\d]{26}$/.test(id.slice(prefix.length + 1));
}

/** Whether an id has the form of Paddle's subscriptions. */
export function isPaddleSubscriptionId(subscriptionId: string): boolean {
  return isPaddleId("sub", subscriptionId);
}

export const PaddlePrice = z.object({
  id: PaddleId,
  status: z.string(),
  /** Custom ones were made up for a single transaction. */
  type: z.string(),
  billingCycle: z.object({ interval: z.string(), frequency: z.int().positive() }).nullable(),
  unitPrice: z.object({ amount: z.string(), currencyCode: z.string() }),
  quantity: z.object({ minimum: z.int() }),
});

export const PaddleProduct = z.object({
  id: PaddleId,
  status: z.string(),
  type: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  prices: z.array(PaddlePrice).nullable(),
});

/** The products that have a price we can tell, in their order; what each costs, by interval and price. */
export function paddlePlans(products: z.infer<typeof PaddleProduct>[]): Plan[] {
  return products
    .filter(isOffered)
    .map(({ id, name, description, prices }) => ({
      id,
      name,
      description: description || null,
      storeId: null,
      variants: (prices ?? [])
        .map(paddleVariant)
        .filter((variant) => variant !== null)
        .toSorted(byIntervalAndPrice),
    }))
    .filter((plan) => plan.variants.length > 0);
}

/** Whether a product or a price is part of the catalogue. */
export function isOffered({ status, type }: { status: string; type: string }): boolean {
  return status === "active" && type === "standard";
}

const intervals = ["day", "week", "month", "year"] as const;

/**
 * A price as a way to pay for a plan; null where it is not on sale, or not for an interval, or not for a single one.
 * Paddle's amounts are whole numbers of the currency's smallest unit, in text. A country may have a price of its own.
 */
export function paddleVariant(price: z.infer<typeof PaddlePrice>): Variant | null {
  const { id, billingCycle, unitPrice, quantity } = price;
  const interval = intervals.find((known) => known === billingCycle?.interval);
  const { amount, currencyCode: currency } = unitPrice;
  const isPlain = /^\d+$/.test(amount) && Number.isSafeInteger(Number(amount)) && isCurrency(currency);
  if (!isOffered(price) || billingCycle === null || interval === undefined || !isPlain) return null;
  if (quantity.minimum > 1) return null;
  return { id, price: Number(amount), currency, interval, interval_count: billingCycle.frequency };
}

function byIntervalAndPrice(one: Variant, other: Variant): number {
  return (
    intervals.indexOf(one.interval) - intervals.indexOf(other.interval) ||
    one.interval_count - other.interval_count ||
    one.price - other.price
  );
}

export const PaddleSubscription = z.object({
  id: PaddleId,
  status: z.string().min(1),
  customerId: PaddleId,
  createdAt: PaddleTime,
  updatedAt: PaddleTime,
  startedAt: PaddleTime.nullable(),
  pausedAt: PaddleTime.nullable(),
  canceledAt: PaddleTime.nullable(),
  currentBillingPeriod: z.object({ startsAt: PaddleTime, endsAt: PaddleTime }).nullable(),
  scheduledChange: z.object({ action: z.string() }).nullable(),
  items: z
    .array(
      z.object({
        createdAt: PaddleTime,
        previouslyBilledAt: PaddleTime.nullable(),
        price: z.object({ id: PaddleId, productId: PaddleId }),
      }),
    )
    .min(1),
  customData: z.unknown(),
});

const statuses: ReadonlyMap<string, SubscriptionStatus> = new Map([
  ["active", "ACTIVE"],
  ["trialing", "ACTIVE"],
  ["past_due", "PAST_DUE"],
  ["paused", "UNPAID"],
  ["canceled", "CANCELED"],
]);

/** Our word for Paddle's; null for one that is new there. */
function statusOf(status: string): SubscriptionStatus | null {
  return statuses.get(status) ?? null;
}

/** A subscription as we know subscriptions. */
export function paddleSubscriptionState(subscription: z.infer<typeof PaddleSubscription>): SubscriptionState {
  const { id, status, customerId, items, canceledAt, updatedAt, scheduledChange } = subscription;
  // What was bought in the checkout; what may stand beside it was added later, by hand.
  const { price } = items.reduce((first, item) => (item.createdAt < first.createdAt ? item : first));
  const isEnding = scheduledChange?.action === "cancel";
  return {
    id,
    customerId,
    ...paddleTeamClaim(subscription.customData),
    status: statusOf(status),
    rawStatus: status.slice(0, 255),
    planId: price.productId,
    variantId: price.id,
    ...periodOf(subscription),
    // Paddle tells when it has ended. When that was asked for is not told: at the latest with the last change.
    canceledAt: canceledAt ?? (isEnding ? updatedAt : null),
    cancelAtPeriodEnd: isEnding,
  };
}

/** While it is paused, and once it has ended, there is no period: then it is the last one, as far as it can be told. */
function periodOf(subscription: z.infer<typeof PaddleSubscription>) {
  const { currentBillingPeriod: period, items, startedAt, createdAt } = subscription;
  if (period !== null) return { currentPeriodStart: period.startsAt, currentPeriodEnd: period.endsAt };
  const billed = items.map((item) => item.previouslyBilledAt).filter((at) => at !== null);
  const { canceledAt, pausedAt, updatedAt } = subscription;
  return {
    currentPeriodStart:
      billed.toSorted((one, other) => other.getTime() - one.getTime())[0] ?? startedAt ?? createdAt,
    currentPeriodEnd: canceledAt ?? pausedAt ?? updatedAt,
  };
}
