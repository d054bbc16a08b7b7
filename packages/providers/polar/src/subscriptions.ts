import type { models } from "@polar-sh/sdk/2026-10";
import {
  getSubscriptions,
  listSubscriptions,
  updateSubscriptions,
} from "@polar-sh/sdk/2026-10/services/subscriptions";
import {
  BillingError,
  type SubscriptionPointer,
  type SubscriptionState,
  type SubscriptionStatus,
  nullIfNotFound,
} from "@purser/billing/ports";
import { z } from "zod";
import {
  type PolarCall,
  PolarId,
  PolarOwner,
  PolarTime,
  WithPolarId,
  isPolarId,
  listPolarPages,
  polarOrganizationId,
} from "./client.ts";

export const PolarSubscription = WithPolarId.extend({
  ...PolarOwner.shape,
  status: z.string(),
  customer_id: PolarId,
  product_id: PolarId,
  prices: z.array(z.object({ id: PolarId, amount_type: z.string() })),
  current_period_start: PolarTime,
  current_period_end: PolarTime,
  cancel_at_period_end: z.boolean(),
  canceled_at: PolarTime.nullable(),
  ended_at: PolarTime.nullable(),
  pause_at_period_end: z.boolean(),
});

/** Fetches a subscription; null when Polar has none with this id. */
export async function findPolarSubscription(call: PolarCall, id: string): Promise<SubscriptionState | null> {
  if (!isPolarId(id)) return null;
  const found = await nullIfNotFound(
    call("subscriptions.get", PolarSubscription, (client, options) => getSubscriptions(client)(id, options)),
  );
  return found && polarSubscriptionState(found);
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

/** Maps Polar's subscription to the port's type. */
export function polarSubscriptionState(subscription: z.infer<typeof PolarSubscription>): SubscriptionState {
  const { id, status: rawStatus, product_id: planId, prices } = subscription;
  // One that ended without being paid may still be `unpaid`.
  const status = subscription.ended_at === null ? (statuses.get(rawStatus) ?? null) : "CANCELED";
  // Polar does not reset `cancel_at_period_end` when the subscription ends.
  const hasEnded = status === "CANCELED";
  const cancelAtPeriodEnd = subscription.cancel_at_period_end && !hasEnded;
  // A subscription without a fixed price was not bought here; its first price counts as the variant.
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
    isTrial: rawStatus === "trialing",
    canceledAt: subscription.canceled_at,
    cancelAtPeriodEnd,
    cancelAt: cancelAtPeriodEnd ? subscription.current_period_end : null,
    // Polar withdraws a scheduled pause when the subscription is canceled.
    ...(subscription.pause_at_period_end &&
      !hasEnded && { replaceableChange: { action: "pause", at: subscription.current_period_end } }),
  };
}

/** Cancels at the end of the period, a paused subscription at once, or withdraws the cancellation. Throws `ended`. */
export async function setPolarCancelAtPeriodEnd(
  call: PolarCall,
  id: string,
  cancelAtPeriodEnd: boolean,
): Promise<void> {
  if (!isPolarId(id)) throw new BillingError("not_found", "Polar has no subscription ids of this form");
  try {
    await update(call, id, { cancel_at_period_end: cancelAtPeriodEnd });
  } catch (error) {
    if (!BillingError.is(error, "refused")) throw error;
    // Polar refuses to change an ended subscription, and to repeat a change.
    const state = await findPolarSubscription(call, id);
    if (state?.status === "CANCELED") throw new BillingError("ended", "Polar has ended the subscription");
    if (state?.cancelAtPeriodEnd === cancelAtPeriodEnd) return;
    // A paused subscription has no running period to end with, and collects nothing.
    if (!cancelAtPeriodEnd || state?.rawStatus !== "paused") throw error;
    await update(call, id, { revoke: true });
  }
}

async function update(call: PolarCall, id: string, change: models.SubscriptionUpdate): Promise<void> {
  await call("subscriptions.update", WithPolarId, (client, options) =>
    updateSubscriptions(client)(id, change, options),
  );
}

const ListedSubscription = WithPolarId.extend(PolarOwner.shape);

/** Lists the subscriptions started since an instant, newest first; at most 1,000. */
export async function listPolarSubscriptionsSince(
  call: PolarCall,
  since: Date,
): Promise<SubscriptionPointer[]> {
  const found = await listPolarPages(
    call,
    "subscriptions.list",
    ListedSubscription,
    (client, page, options) =>
      listSubscriptions(client)(
        { started_after: since.toISOString(), sorting: ["-started_at"], ...page },
        options,
      ),
    1000,
  );
  return found.map((one) => ({ subscriptionId: one.id, organizationId: polarOrganizationId(one) }));
}
