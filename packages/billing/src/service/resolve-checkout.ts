import { Problem, errorText } from "@purser/core";
import { consumeAttempt } from "@purser/platform";
import { providerFailure } from "@purser/platform/providers";
import {
  type CheckoutRow,
  completeCheckout,
  findCheckout,
  listPayableCheckouts,
} from "../checkouts/store.ts";
import { isPayable } from "../checkouts/rules.ts";
import type { BillingPlatform } from "../context.ts";
import { BillingError, type CheckoutResult, nullIfNotFound } from "../ports.ts";
import { findSubscription } from "../store.ts";
import { isLive } from "../subscriptions/rules.ts";
import { closeOpenCheckout, expireAtProvider } from "./close-checkout.ts";
import { synchronizeSubscription } from "./synchronize.ts";

/**
 * Handles the browser that returns from a payment page. Returns the redirect URL with `checkout=completed`, or with
 * `checkout=open` when no payment is known yet. Throws CHECKOUT_NOT_FOUND.
 *
 * Webhooks are usually faster. Asking the provider here shows the subscription at once when they are not.
 */
export async function resolveCheckoutReturn(platform: BillingPlatform, id: string): Promise<string> {
  const checkout = await findCheckout(platform.db, id);
  if (checkout === undefined) throw new Problem("CHECKOUT_NOT_FOUND");
  await resolveWithinLimit(platform, checkout).catch((error: unknown) => {
    const { provider } = checkout;
    platform.logger.warn({ provider, reason: errorText(error) }, "Resolving a checkout failed");
  });
  const isCompleted = await isCheckoutCompleted(platform, id);
  const target = new URL(checkout.redirectUrl);
  target.searchParams.set("checkout", isCompleted ? "completed" : "open");
  target.searchParams.set("checkoutId", id);
  return target.href;
}

/**
 * Returns whether a checkout has led to a subscription, as far as is known without asking its provider. Throws
 * CHECKOUT_NOT_FOUND.
 */
export async function isCheckoutCompleted({ db }: BillingPlatform, id: string): Promise<boolean> {
  const checkout = await findCheckout(db, id);
  if (checkout === undefined) throw new Problem("CHECKOUT_NOT_FOUND");
  return checkout.status === "COMPLETED";
}

/** The page needs no sign-in, and reloading it must not use up the provider's rate limit. */
const resolveLimit = { limit: 10, windowSeconds: 60 };

/** Beyond the limit, the browser continues with what is stored. */
async function resolveWithinLimit(platform: BillingPlatform, checkout: CheckoutRow): Promise<void> {
  try {
    await consumeAttempt(platform, `checkout-return:${checkout.id}`, resolveLimit);
  } catch (error) {
    if (error instanceof Problem && error.code === "RATE_LIMITED") return;
    throw error;
  }
  await resolveCheckout(platform, checkout);
}

/**
 * Closes the checkouts of an organization whose pages may accept a payment, before it is deleted, and resolves them. No member
 * could see or cancel a subscription that is paid before and reported afterwards. Throws PROVIDER_ERROR and RATE_LIMITED.
 */
export async function resolveBeforeDeletion(
  platform: BillingPlatform,
  organizationId: string,
): Promise<void> {
  const now = platform.clock.now();
  const payable = await listPayableCheckouts(platform.db, organizationId, now);
  if (payable.length === 0) return;
  await consumeAttempt(platform, `checkout-deletion:${organizationId}`, resolveLimit);
  const close = (checkout: CheckoutRow) =>
    platform.db.transaction((transaction) => closeOpenCheckout(platform, transaction, checkout));
  for (const checkout of payable) {
    await resolveBeforeClosing(platform, checkout);
    // Paddle cannot cancel a draft, which our page opens until its checkout is closed or has expired.
    if (isPayable(checkout, now)) await close(checkout);
    await expireAtProvider(platform, checkout).catch(refuseClosing);
    // It may have been paid between the first answer and its end.
    await resolveBeforeClosing(platform, checkout);
    // Not before: a refused deletion is tried again, and a closed checkout that expired long ago is not listed.
    await close(checkout);
  }
}

/**
 * Asks the provider whether a checkout that is to accept no payment was paid, and stores its subscription. The webhook may
 * be late, and a second checkout would be paid too. Throws PROVIDER_ERROR without an answer, and while a payment is being
 * processed: then it must not be closed.
 */
export async function resolveBeforeClosing(platform: BillingPlatform, checkout: CheckoutRow): Promise<void> {
  const { isProcessing } = await resolveCheckout(platform, checkout).catch(refuseClosing);
  if (isProcessing) throw new Problem("PROVIDER_ERROR", paymentIsProcessing);
}

function refuseClosing(error: unknown): never {
  // A refusal to tell is no refusal of what the caller asked for.
  throw BillingError.is(error) ? providerFailure(error, { retryable: true }) : error;
}

const paymentIsProcessing = {
  detail: "The provider is processing a payment for a checkout of the team. Try again in a moment.",
  retryable: true,
  retryAfterSeconds: 10,
};

/**
 * Synchronizes the subscription that a checkout produced, if the provider reports it. Returns whether a payment is being
 * processed, so that the subscription is still to come. Throws when the provider fails.
 */
export async function resolveCheckout(
  platform: BillingPlatform,
  checkout: CheckoutRow,
): Promise<{ isProcessing: boolean }> {
  const { organizationId, provider: name } = checkout;
  const result = await askProvider(platform, checkout);
  if (result.status !== "paid") return { isProcessing: result.status === "processing" };
  const { subscriptionId } = result;
  await synchronizeSubscription(platform, name, { subscriptionId, organizationId });
  const subscription = await findSubscription(platform.db, subscriptionId);
  // A superseded checkout counts as completed when it was paid just before another one replaced it.
  if (subscription?.organizationId === organizationId && isLive(subscription.status))
    await completeCheckout(platform.db, checkout);
  // A provider may report a payment before it returns the subscription.
  return { isProcessing: subscription === undefined };
}

/** A checkout whose provider cannot tell counts as unpaid, until a webhook says otherwise. */
async function askProvider(
  { payments }: BillingPlatform,
  { provider: name, reference, status }: CheckoutRow,
): Promise<CheckoutResult> {
  const unpaid = { status: "unpaid" } as const;
  if (status === "COMPLETED" || reference === null || !payments.configured.includes(name)) return unpaid;
  const provider = await payments.at(name);
  if (!provider.capabilities.resolvesCheckouts) return unpaid;
  // One that the provider does not know any more leads to no subscription.
  return (await nullIfNotFound(provider.checkoutResult(reference))) ?? unpaid;
}
