import { BillingError, type PaymentProvider } from "@purser/billing/ports";
import { listPolarPlans } from "./catalog.ts";
import { createPolarCheckout, polarCheckoutResult } from "./checkouts.ts";
import { type PolarCall, isPolarId, polarClient } from "./client.ts";
import { createPolarPortal, findOrCreatePolarCustomer, movePolarCustomer } from "./customers.ts";
import type { PolarConfig } from "./settings.ts";
import {
  findPolarSubscription,
  listPolarSubscriptionsSince,
  setPolarCancelAtPeriodEnd,
} from "./subscriptions.ts";
import { polarWebhooks } from "./webhooks.ts";

/** Subscriptions through Polar, the merchant of record. A product is a plan, a price is a variant. */
export function polarPayments(config: PolarConfig): PaymentProvider {
  const newCall = polarClient(config);
  // A large catalog, or a long list, has more pages than one timeout allows for.
  const callWithOwnTimeout: PolarCall = (...request) => newCall()(...request);
  return {
    name: "polar",
    // A checkout cannot be expired. It expires after a day.
    capabilities: { portal: true, resume: true, expiresCheckouts: false, resolvesCheckouts: true },
    hasCustomerPerAddress: false,
    recognizes: isPolarId,
    plans: () => listPolarPlans(callWithOwnTimeout),
    createCustomer: (customer) => findOrCreatePolarCustomer(newCall(), customer),
    moveCustomer: (id, addresses) => movePolarCustomer(newCall(), id, addresses),
    createCheckout: (request) => createPolarCheckout(newCall(), request),
    expireCheckout: async () => {
      throw new BillingError("refused", "Polar cannot expire a checkout");
    },
    checkoutResult: (reference) => polarCheckoutResult(newCall(), reference),
    createPortal: (subscription) => createPolarPortal(newCall(), subscription),
    cancel: (id) => setPolarCancelAtPeriodEnd(newCall(), id, true),
    resume: (id) => setPolarCancelAtPeriodEnd(newCall(), id, false),
    subscription: (id) => findPolarSubscription(newCall(), id),
    subscriptionsSince: (since) => listPolarSubscriptionsSince(callWithOwnTimeout, since),
    webhooks: polarWebhooks(config.webhookSecrets),
  };
}
