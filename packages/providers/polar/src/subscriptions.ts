import { getCheckouts } from "@polar-sh/sdk/2026-10/services/checkouts";
import {
  getSubscriptions,
  listSubscriptions,
  updateSubscriptions,
} from "@polar-sh/sdk/2026-10/services/subscriptions";
import { z } from "zod";
import { BillingError, type SubscriptionPointer, type SubscriptionState } from "@purser/billing/ports";
import { type PolarCall, listPolarPages } from "./client.ts";
import { nullIfNotFound } from "./errors.ts";
import {
  WithPolarId,
  PolarOwner,
  PolarSubscription,
  isPolarId,
  polarOrganizationId,
  polarSubscriptionState,
} from "./mapping.ts";

/** The subscription as it is now; null where Polar has none of this id. */
export async function findPolarSubscription(call: PolarCall, id: string): Promise<SubscriptionState | null> {
  if (!isPolarId(id)) return null;
  const found = await nullIfNotFound(
    call("subscriptions.get", PolarSubscription, (client, options) => getSubscriptions(client)(id, options)),
  );
  return found && polarSubscriptionState(found);
}

/** Lets a subscription end with its period, or takes that back. Throws `ended`. */
export async function setPolarCancelAtPeriodEnd(
  call: PolarCall,
  id: string,
  isEnding: boolean,
): Promise<void> {
  if (!isPolarId(id)) throw new BillingError("not_found", "It is no subscription of Polar's");
  try {
    await call("subscriptions.update", WithPolarId, (client, options) =>
      updateSubscriptions(client)(id, { cancel_at_period_end: isEnding }, options),
    );
  } catch (error) {
    if (!(error instanceof BillingError) || error.kind !== "refused") throw error;
    // Polar refuses to change what has ended, and what is as it should be.
    const state = await findPolarSubscription(call, id);
    if (state?.status === "CANCELED") throw new BillingError("ended", "Polar has ended the subscription");
    if (state?.cancelAtPeriodEnd !== isEnding) throw error;
  }
}

const Session = WithPolarId.extend({
  status: z.string(),
  customer_id: z.string().refine(isPolarId).nullable(),
});
const Bought = WithPolarId.extend({ checkout_id: z.string().nullable() });

/** The subscription that a checkout has brought; null so far. */
export async function polarCheckoutResult(call: PolarCall, reference: string): Promise<string | null> {
  if (!isPolarId(reference)) throw new BillingError("not_found", "It is no checkout of Polar's");
  const { status, customer_id: customer } = await call("checkouts.get", Session, (client, options) =>
    getCheckouts(client)(reference, options),
  );
  if (status !== "succeeded" || customer === null) return null;
  // A checkout does not name its subscription, but the subscription names its checkout.
  const bought = await listPolarPages(call, "subscriptions.list", Bought, (client, page, options) =>
    listSubscriptions(client)({ customer_id: customer, ...page }, options),
  );
  return bought.find(({ checkout_id: checkout }) => checkout === reference)?.id ?? null;
}

const Pointer = WithPolarId.extend(PolarOwner.shape);

/** The subscriptions that began since, newest first; at most 1,000. */
export async function listPolarSubscriptionsSince(
  call: PolarCall,
  since: Date,
): Promise<SubscriptionPointer[]> {
  const found = await listPolarPages(
    call,
    "subscriptions.list",
    Pointer,
    (client, page, options) =>
      listSubscriptions(client)(
        { started_after: since.toISOString(), sorting: ["-started_at"], ...page },
        options,
      ),
    1000,
  );
  return found.map((one) => ({ subscriptionId: one.id, organizationId: polarOrganizationId(one) }));
}
