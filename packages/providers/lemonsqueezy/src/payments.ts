import { BillingError, type PaymentProvider } from "@purser/billing/ports";
import { listLemonSqueezyPlans } from "./catalog.ts";
import { createLemonSqueezyCheckout } from "./checkouts.ts";
import { type LemonSqueezyCall, isLemonSqueezyId, lemonSqueezyClient } from "./client.ts";
import type { LemonSqueezyConfig } from "./settings.ts";
import {
  cancelLemonSqueezySubscription,
  findLemonSqueezySubscription,
  lemonSqueezyPortal,
  listLemonSqueezySubscriptionsSince,
  resumeLemonSqueezySubscription,
} from "./subscriptions.ts";
import { lemonSqueezyWebhooks } from "./webhooks.ts";

/** Subscriptions through Lemon Squeezy, the merchant of record. A product is a plan, a variant is a variant. */
export function lemonSqueezyPayments(config: LemonSqueezyConfig): PaymentProvider {
  const { storeId, webhookSecrets } = config;
  const newCall = lemonSqueezyClient(config);
  // A large catalog, or a long list, has more pages than one timeout allows for.
  const callWithOwnTimeout: LemonSqueezyCall = (...request) => newCall()(...request);
  return {
    name: "lemonsqueezy",
    capabilities: { portal: true, resume: true, expiresCheckouts: false, resolvesCheckouts: false },
    hasCustomerPerAddress: true,
    recognizes: isLemonSqueezyId,
    plans: () => listLemonSqueezyPlans(callWithOwnTimeout, storeId),
    // A customer comes into existence with a purchase.
    createCustomer: async () => null,
    createCheckout: (request) => createLemonSqueezyCheckout(newCall(), config, request),
    expireCheckout: () => notSupported("a checkout cannot be expired"),
    checkoutResult: () => notSupported("a checkout does not name its subscription"),
    createPortal: (request) => lemonSqueezyPortal(newCall(), config, request),
    cancel: (id) => cancelLemonSqueezySubscription(newCall(), config, id),
    resume: (id) => resumeLemonSqueezySubscription(newCall(), config, id),
    subscription: (id) => findLemonSqueezySubscription(newCall(), config, id),
    subscriptionsSince: (since) => listLemonSqueezySubscriptionsSince(callWithOwnTimeout, config, since),
    webhooks: lemonSqueezyWebhooks(webhookSecrets, storeId),
  };
}

function notSupported(why: string): Promise<never> {
  return Promise.reject(new BillingError("refused", `Lemon Squeezy: ${why}`));
}
