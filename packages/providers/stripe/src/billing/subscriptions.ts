import {
  BillingError,
  type SubscriptionPointer,
  type SubscriptionState,
  type SubscriptionStatus,
  nullIfNotFound,
} from "@purser/billing/ports";
import { Stripe } from "stripe";
import { z } from "zod";
import { Reference, type StripeCall, StripeId, Timestamp, WithStripeId, listAllPages } from "../client.ts";

/** Our metadata on an object. Someone may have edited it in the dashboard, so an invalid value reads as missing. */
export const StripeMetadata = z.object({ purser_organization: StripeId.optional().catch(undefined) });

/** Whether an id has the form of Stripe's subscription ids. */
export function isStripeSubscriptionId(subscriptionId: string): boolean {
  return /^sub_\w{1,251}$/.test(subscriptionId);
}

export const StripeSubscription = z.object({
  id: StripeId,
  customer: Reference,
  status: z.string().min(1),
  metadata: StripeMetadata,
  items: z.object({
    data: z
      .array(
        z.object({
          created: z.int(),
          price: z.object({ id: StripeId, product: Reference }),
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
  schedule: Reference.nullable(),
  status_details: z
    .object({ paused: z.object({ subscription: z.object({ type: z.string() }) }) })
    .optional()
    .catch(undefined),
  latest_invoice: z.union([z.string(), z.object({ status: z.string().nullable() })]).nullable(),
});

type StripeSubscription = z.infer<typeof StripeSubscription>;

const retrieve = (call: StripeCall, id: string) =>
  call("subscriptions.retrieve", StripeSubscription, (stripe, options) =>
    stripe.subscriptions.retrieve(id, { expand: ["latest_invoice"] }, options).catch((error: unknown) => {
      // A restricted key that may not read invoices.
      if (!(error instanceof Stripe.errors.StripePermissionError)) throw error;
      return stripe.subscriptions.retrieve(id, {}, options);
    }),
  );

/** Reads a subscription; null if Stripe has none with this id. */
export async function findStripeSubscription(
  call: StripeCall,
  id: string,
): Promise<SubscriptionState | null> {
  if (!isStripeSubscriptionId(id)) return null;
  const found = await nullIfNotFound(retrieve(call, id));
  return found && stripeSubscriptionState(found);
}

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

/** Maps a subscription to the state that billing stores. */
export function stripeSubscriptionState(subscription: StripeSubscription): SubscriptionState {
  const { id, customer, status, metadata } = subscription;
  const items = subscription.items.data;
  // The first item was bought in the checkout. Others were added later in the dashboard.
  const { price } = items.reduce((first, item) => (item.created < first.created ? item : first));
  // Periods belong to items, and may differ.
  const starts = items.map((item) => item.current_period_start.getTime());
  const ends = items.map((item) => item.current_period_end.getTime());
  const currentPeriodEnd = new Date(Math.min(...ends));
  const end = scheduledEnd(subscription, currentPeriodEnd);
  return {
    id,
    customerId: customer,
    organizationId: metadata.purser_organization ?? null,
    status: statuses.get(status) ?? null,
    rawStatus: rawStatusOf(subscription),
    planId: price.product,
    variantId: price.id,
    currentPeriodStart: new Date(Math.max(...starts)),
    currentPeriodEnd,
    isTrial: status === "trialing",
    // A period begins about an hour before its invoice is charged, and stays active meanwhile.
    ...paymentOf(subscription),
    canceledAt: subscription.canceled_at,
    ...end,
    ...(subscription.schedule !== null &&
      !end.cancelAtPeriodEnd && { replaceableChange: { action: "subscription schedule", at: null } }),
  };
}

/** The reasons of a pause that leaves an invoice open. */
const failures: ReadonlySet<string> = new Set(["first_payment_failure", "final_payment_failure"]);

/** Stripe's status. A pause for which a payment is due has its reason too: billing reports it as overdue, not as a pause. */
function rawStatusOf({ status, status_details: details }: StripeSubscription): string {
  const reason = details?.paused.subscription.type ?? "";
  return status === "paused" && failures.has(reason) ? `paused: ${reason}` : status.slice(0, 255);
}

/** Whether the period is paid. Nothing of a subscription whose invoice could not be read: what is active then counts. */
function paymentOf({ latest_invoice: invoice }: StripeSubscription): Pick<SubscriptionState, "isPeriodPaid"> {
  if (typeof invoice === "string") return {};
  return { isPeriodPaid: invoice === null || invoice.status === "paid" };
}

/**
 * Returns the scheduled end. `cancel_at` is any date in the future. The customer portal sets it to the end of the period,
 * and an operator can set a date many periods ahead, with which the subscription still renews. See
 * https://docs.stripe.com/api/subscriptions/object#subscription_object-cancel_at.
 */
function scheduledEnd(
  { cancel_at: at, cancel_at_period_end: atPeriodEnd, ended_at: endedAt }: StripeSubscription,
  currentPeriodEnd: Date,
): Pick<SubscriptionState, "cancelAt" | "cancelAtPeriodEnd"> {
  // Stripe does not clear these attributes when the subscription ends.
  if (endedAt !== null) return { cancelAt: null, cancelAtPeriodEnd: false };
  const cancelAt = at ?? (atPeriodEnd ? currentPeriodEnd : null);
  return { cancelAt, cancelAtPeriodEnd: cancelAt !== null && cancelAt <= currentPeriodEnd };
}

/**
 * Cancels a subscription at the end of its period, and at once while its first payment is due or it is paused. Throws `ended`
 * if it is already canceled.
 */
export async function cancelStripeSubscription(call: StripeCall, id: string): Promise<void> {
  const subscription = await requireNotEnded(call, id);
  const { status } = subscription;
  // Stripe refuses to schedule an end before the first payment, and a paused subscription never reaches its end.
  if (status === "incomplete" || status === "paused") return cancelAtOnce(call, id);
  await update(call, subscription, { cancel_at_period_end: true });
}

/**
 * Withdraws an end that is scheduled for the current period. A later date stays: nobody canceled this period. Throws
 * `ended` if the subscription is canceled.
 */
export async function resumeStripeSubscription(call: StripeCall, id: string): Promise<void> {
  const subscription = await requireNotEnded(call, id);
  if (!stripeSubscriptionState(subscription).cancelAtPeriodEnd) return;
  // `cancelStripeSubscription` sets the flag, the customer portal sets only the date. Stripe accepts one of them per
  // request.
  await update(
    call,
    subscription,
    subscription.cancel_at_period_end ? { cancel_at_period_end: false } : { cancel_at: "" },
  );
}

async function requireNotEnded(call: StripeCall, id: string): Promise<StripeSubscription> {
  const subscription = await retrieve(call, id);
  if (statuses.get(subscription.status) === "CANCELED")
    throw new BillingError("ended", "Stripe, subscriptions.update: the subscription is canceled");
  return subscription;
}

async function update(
  call: StripeCall,
  { id, schedule }: StripeSubscription,
  change: Stripe.SubscriptionUpdateParams,
): Promise<void> {
  if (schedule === null) return updateUnscheduled(call, id, change);
  // Only the schedule may end a subscription that has one, so it gives way.
  await call("subscriptionSchedules.release", WithStripeId, (stripe, options) =>
    stripe.subscriptionSchedules.release(schedule, {}, options),
  );
  try {
    await updateUnscheduled(call, id, change);
  } catch (error) {
    if (BillingError.is(error)) error.hasRemovedChange = true;
    throw error;
  }
}

async function updateUnscheduled(
  call: StripeCall,
  id: string,
  change: Stripe.SubscriptionUpdateParams,
): Promise<void> {
  try {
    await call("subscriptions.update", WithStripeId, (stripe, options) =>
      stripe.subscriptions.update(id, change, options),
    );
  } catch (error) {
    // Stripe refuses to change a canceled subscription. For some it answers `resource_missing`.
    const isRefused = BillingError.is(error, "refused", "not_found");
    if (isRefused) await requireNotEnded(call, id);
    throw error;
  }
}

async function cancelAtOnce(call: StripeCall, id: string): Promise<void> {
  await call("subscriptions.cancel", WithStripeId, (stripe, options) =>
    stripe.subscriptions.cancel(id, {}, options),
  );
}

const Created = WithStripeId.extend({ metadata: StripeMetadata });

/** Lists the subscriptions created since then, canceled ones included, newest first and at most 1,000. */
export async function listStripeSubscriptionsSince(
  call: StripeCall,
  since: Date,
): Promise<SubscriptionPointer[]> {
  const created = { gte: Math.floor(since.getTime() / 1000) };
  const subscriptions = await listAllPages(
    call,
    "subscriptions.list",
    Created,
    (stripe, page, options) => stripe.subscriptions.list({ created, status: "all", ...page }, options),
    1_000,
  );
  return subscriptions.map(({ id, metadata }) => ({
    subscriptionId: id,
    organizationId: metadata.purser_organization ?? null,
  }));
}
