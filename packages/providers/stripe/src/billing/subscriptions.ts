import { BillingError, type SubscriptionPointer, type SubscriptionState } from "@purser/billing/ports";
import type { Stripe } from "stripe";
import { z } from "zod";
import { type StripeCall, listAllPages } from "../client.ts";
import { Id } from "../mapping.ts";
import { Metadata, Subscription, isStripeSubscriptionId, stateOf, statusOf } from "./mapping.ts";

const retrieve = (call: StripeCall, id: string) =>
  call("subscriptions.retrieve", Subscription, (stripe, options) =>
    stripe.subscriptions.retrieve(id, {}, options),
  );

/** Reads a subscription; null if Stripe has none with this id. */
export async function findStripeSubscription(
  call: StripeCall,
  id: string,
): Promise<SubscriptionState | null> {
  if (!isStripeSubscriptionId(id)) return null;
  try {
    return stateOf(await retrieve(call, id));
  } catch (error) {
    if (error instanceof BillingError && error.kind === "not_found") return null;
    throw error;
  }
}

/** Cancels a subscription at the end of its period. Throws `ended` if it is already canceled. */
export async function cancelStripeSubscription(call: StripeCall, id: string): Promise<void> {
  await update(call, id, { cancel_at_period_end: true });
}

/** Undoes a cancellation. Does nothing if none is scheduled. Throws `ended` if the subscription is canceled. */
export async function resumeStripeSubscription(call: StripeCall, id: string): Promise<void> {
  const { status, cancel_at_period_end: atPeriodEnd, cancel_at: at } = await retrieve(call, id);
  if (statusOf(status) === "CANCELED") throw ended();
  // `cancelStripeSubscription` sets the flag, the customer portal sets only the date. Stripe accepts one of them per
  // request.
  if (atPeriodEnd) await update(call, id, { cancel_at_period_end: false });
  else if (at !== null) await update(call, id, { cancel_at: "" });
}

async function update(call: StripeCall, id: string, change: Stripe.SubscriptionUpdateParams): Promise<void> {
  try {
    await call("subscriptions.update", z.object({ id: Id }), (stripe, options) =>
      stripe.subscriptions.update(id, change, options),
    );
  } catch (error) {
    if (!(error instanceof BillingError) || (error.kind !== "refused" && error.kind !== "not_found"))
      throw error;
    // Stripe refuses to change a canceled subscription. For some it answers `resource_missing`.
    const { status } = await retrieve(call, id);
    throw statusOf(status) === "CANCELED" ? ended() : error;
  }
}

function ended(): BillingError {
  return new BillingError("ended", "Stripe, subscriptions.update: the subscription is canceled");
}

const Created = z.object({ id: Id, metadata: Metadata });

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
