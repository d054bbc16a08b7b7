import { BillingError, type PaymentProvider } from "@purser/billing/ports";
import { createStripeClient } from "../client.ts";
import { stripeErrors } from "../errors.ts";
import type { StripeBillingConfig } from "../settings.ts";
import { listStripePlans } from "./catalog.ts";
import { createStripeCheckout, expireStripeCheckout, stripeCheckoutResult } from "./checkouts.ts";
import { createStripeCustomer, createStripePortal, moveStripeCustomer } from "./customers.ts";
import {
  cancelStripeSubscription,
  findStripeSubscription,
  isStripeSubscriptionId,
  listStripeSubscriptionsSince,
  resumeStripeSubscription,
} from "./subscriptions.ts";
import { stripeBillingWebhooks } from "./webhooks.ts";

/**
 * Sells subscriptions through Stripe Billing, with hosted checkout and customer portal. A product is a plan, a price
 * is a variant of it. `timeoutMs` limits one call of the port with all of its requests, and each page of the catalog and of
 * new subscriptions; default: 7 seconds.
 */
export function stripePayments(config: StripeBillingConfig): PaymentProvider {
  const { timeoutMs = 7_000, webhookSecrets, automaticTax = false } = config;
  const client = createStripeClient({ ...config, timeoutMs }, stripeErrors(BillingError, "not_found"));
  const newCall = () => client.withDeadline();
  return {
    name: "stripe",
    capabilities: { portal: true, resume: true, expiresCheckouts: true, resolvesCheckouts: true },
    hasCustomerPerAddress: false,
    recognizes: isStripeSubscriptionId,
    plans: () => listStripePlans(client.call),
    createCustomer: (customer) => createStripeCustomer(newCall(), customer),
    moveCustomer: (id, addresses) => moveStripeCustomer(newCall(), id, addresses),
    createCheckout: (request) => createStripeCheckout(newCall(), { ...request, automaticTax }),
    expireCheckout: (reference) => expireStripeCheckout(newCall(), reference),
    checkoutResult: (reference) => stripeCheckoutResult(newCall(), reference),
    createPortal: (subscription) => createStripePortal(newCall(), subscription),
    cancel: (id) => cancelStripeSubscription(newCall(), id),
    resume: (id) => resumeStripeSubscription(newCall(), id),
    subscription: (id) => findStripeSubscription(newCall(), id),
    subscriptionsSince: (since) => listStripeSubscriptionsSince(client.call, since),
    webhooks: stripeBillingWebhooks(webhookSecrets),
  };
}
