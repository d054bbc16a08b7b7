import { getCheckouts } from "@polar-sh/sdk/2026-10/services/checkouts";
import {
  getSubscriptions,
  listSubscriptions,
  updateSubscriptions,
} from "@polar-sh/sdk/2026-10/services/subscriptions";
import { z } from "zod";
import { BillingError, type SubscriptionPointer, type SubscriptionState } from "@purser/billing/ports";
import { type ApiCall, every } from "./client.ts";
import { orNull } from "./errors.ts";
import { Identified, Owned, Subscription, isPolarId, organizationOf, stateOf } from "./mapping.ts";

/** The subscription as it is now; null where Polar has none of this id. */
export async function findSubscription(ask: ApiCall, id: string): Promise<SubscriptionState | null> {
  if (!isPolarId(id)) return null;
  const found = await orNull(
    ask("subscriptions.get", Subscription, (client, options) => getSubscriptions(client)(id, options)),
  );
  return found && stateOf(found);
}

/** Lets a subscription end with its period, or takes that back. Throws `ended`. */
export async function setCancelAtPeriodEnd(ask: ApiCall, id: string, isEnding: boolean): Promise<void> {
  if (!isPolarId(id)) throw new BillingError("not_found", "It is no subscription of Polar's");
  try {
    await ask("subscriptions.update", Identified, (client, options) =>
      updateSubscriptions(client)(id, { cancel_at_period_end: isEnding }, options),
    );
  } catch (error) {
    if (!(error instanceof BillingError) || error.kind !== "refused") throw error;
    // Polar refuses to change what has ended, and what is as it should be.
    const state = await findSubscription(ask, id);
    if (state?.status === "CANCELED") throw new BillingError("ended", "Polar has ended the subscription");
    if (state?.cancelAtPeriodEnd !== isEnding) throw error;
  }
}

const Session = Identified.extend({
  status: z.string(),
  customer_id: z.string().refine(isPolarId).nullable(),
});
const Bought = Identified.extend({ checkout_id: z.string().nullable() });

/** The subscription that a checkout has brought; null so far. */
export async function checkoutResult(ask: ApiCall, reference: string): Promise<string | null> {
  if (!isPolarId(reference)) throw new BillingError("not_found", "It is no checkout of Polar's");
  const { status, customer_id: customer } = await ask("checkouts.get", Session, (client, options) =>
    getCheckouts(client)(reference, options),
  );
  if (status !== "succeeded" || customer === null) return null;
  // A checkout does not name its subscription, but the subscription names its checkout.
  const bought = await every(ask, "subscriptions.list", Bought, (client, page, options) =>
    listSubscriptions(client)({ customer_id: customer, ...page }, options),
  );
  return bought.find(({ checkout_id: checkout }) => checkout === reference)?.id ?? null;
}

const Pointer = Identified.extend(Owned.shape);

/** The subscriptions that began since, newest first; at most 1,000. */
export async function subscriptionsSince(ask: ApiCall, since: Date): Promise<SubscriptionPointer[]> {
  const found = await every(
    ask,
    "subscriptions.list",
    Pointer,
    (client, page, options) =>
      listSubscriptions(client)(
        { started_after: since.toISOString(), sorting: ["-started_at"], ...page },
        options,
      ),
    1000,
  );
  return found.map((one) => ({ subscriptionId: one.id, organizationId: organizationOf(one) }));
}
