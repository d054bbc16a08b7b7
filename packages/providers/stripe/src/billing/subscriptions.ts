import type { Stripe } from "stripe";
import { z } from "zod";
import { BillingError, type SubscriptionPointer, type SubscriptionState } from "@purser/billing/ports";
import { type ApiCall, listAll } from "./client.ts";
import { Id, Metadata, Subscription, recognizes, stateOf, statusOf } from "./mapping.ts";

const retrieve = (ask: ApiCall, id: string) =>
  ask("subscriptions.retrieve", Subscription, (stripe, options) =>
    stripe.subscriptions.retrieve(id, {}, options),
  );

/** The subscription as it is now; null where Stripe has none of this id. */
export async function findSubscription(ask: ApiCall, id: string): Promise<SubscriptionState | null> {
  if (!recognizes(id)) return null;
  try {
    return stateOf(await retrieve(ask, id));
  } catch (error) {
    if (error instanceof BillingError && error.kind === "not_found") return null;
    throw error;
  }
}

/** Lets a subscription end with its period. Throws `ended`. */
export async function cancel(ask: ApiCall, id: string): Promise<void> {
  await update(ask, id, { cancel_at_period_end: true });
}

/** Takes a cancellation back. Throws `ended`. */
export async function resume(ask: ApiCall, id: string): Promise<void> {
  const { status, cancel_at_period_end: atPeriodEnd, cancel_at: at } = await retrieve(ask, id);
  if (statusOf(status) === "CANCELED") throw ended();
  // Cancelled by us it has the flag, and cancelled in the portal only the date. Stripe takes but one of them at once.
  if (atPeriodEnd) await update(ask, id, { cancel_at_period_end: false });
  else if (at !== null) await update(ask, id, { cancel_at: "" });
}

async function update(ask: ApiCall, id: string, change: Stripe.SubscriptionUpdateParams): Promise<void> {
  try {
    await ask("subscriptions.update", z.object({ id: Id }), (stripe, options) =>
      stripe.subscriptions.update(id, change, options),
    );
  } catch (error) {
    if (!(error instanceof BillingError) || (error.kind !== "refused" && error.kind !== "not_found"))
      throw error;
    // One that has ended takes no change; of some Stripe then says that there are none.
    const { status } = await retrieve(ask, id);
    throw statusOf(status) === "CANCELED" ? ended() : error;
  }
}

function ended(): BillingError {
  return new BillingError("ended", "Stripe, subscriptions.update: the subscription has ended");
}

const Made = z.object({ id: Id, metadata: Metadata });

/** The subscriptions that were made since, whatever has become of them; at most 1,000, newest first. */
export async function subscriptionsSince(ask: ApiCall, since: Date): Promise<SubscriptionPointer[]> {
  const created = { gte: Math.floor(since.getTime() / 1000) };
  const made = await listAll(
    ask,
    "subscriptions.list",
    Made,
    (stripe, page, options) => stripe.subscriptions.list({ created, status: "all", ...page }, options),
    1_000,
  );
  return made.map(({ id, metadata }) => ({
    subscriptionId: id,
    organizationId: metadata.purser_organization ?? null,
  }));
}
