import { Problem, errorText } from "@purser/core";
import type { BillingPlatform } from "../context.ts";
import { type CheckoutRow, completeCheckout, findCheckout } from "../checkouts/store.ts";
import { findSubscription } from "../store.ts";
import { isLive } from "../subscriptions/rules.ts";
import { synchronizeSubscription } from "./synchronize.ts";

/**
 * Takes a person back who comes from a payment page, and gives where they go on, with what has become of the checkout:
 * `checkout=completed`, or `checkout=open` where nothing was paid, or nothing is known yet. Throws CHECKOUT_NOT_FOUND.
 *
 * Webhooks are usually quicker; this is for those that are not, so that whoever has paid sees it at once.
 */
export async function resolveCheckoutReturn(platform: BillingPlatform, id: string): Promise<string> {
  const checkout = await findCheckout(platform.db, id);
  if (checkout === undefined) throw new Problem("CHECKOUT_NOT_FOUND");
  await resolveCheckout(platform, checkout).catch((error: unknown) => {
    const { provider } = checkout;
    platform.logger.warn({ provider, reason: errorText(error) }, "A checkout could not be traced");
  });
  const now = await findCheckout(platform.db, id);
  const target = new URL(checkout.redirectUrl);
  target.searchParams.set("checkout", now?.status === "COMPLETED" ? "completed" : "open");
  target.searchParams.set("checkoutId", id);
  return target.href;
}

/** Asks for what a checkout has brought, where its provider can tell, and reads it. Throws where that fails. */
export async function resolveCheckout(platform: BillingPlatform, checkout: CheckoutRow): Promise<void> {
  const { organizationId, provider: name, reference, status } = checkout;
  if (status === "COMPLETED" || reference === null || !platform.payments.configured.includes(name)) return;
  const provider = await platform.payments.at(name);
  if (!provider.capabilities.resolvesCheckouts) return;
  const subscriptionId = await provider.checkoutResult(reference);
  if (subscriptionId === null) return;
  await synchronizeSubscription(platform, name, { subscriptionId, organizationId });
  const bought = await findSubscription(platform.db, subscriptionId);
  // Somebody may have paid just before another checkout took its place: they have what they came for all the same.
  if (bought?.organizationId === organizationId && isLive(bought.status))
    await completeCheckout(platform.db, checkout);
}
