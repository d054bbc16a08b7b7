import { BillingError, type PaymentProvider, type Plan } from "@purser/billing/ports";
import { z } from "zod";
import { type StripeCall, createStripeClient, listAllPages } from "../client.ts";
import { stripeErrors } from "../errors.ts";
import type { StripeBillingConfig } from "../settings.ts";
import {
  createStripeCheckout,
  createStripeCustomer,
  expireStripeCheckout,
  findStripeCheckoutSubscription,
} from "./checkouts.ts";
import { PageUrl, Price, Product, isStripeSubscriptionId, plansOf } from "./mapping.ts";
import {
  cancelStripeSubscription,
  findStripeSubscription,
  listStripeSubscriptionsSince,
  resumeStripeSubscription,
} from "./subscriptions.ts";
import { stripeBillingWebhooks } from "./webhooks.ts";

/**
 * Sells subscriptions through Stripe Billing, with hosted checkout and customer portal. A product is a plan, a price
 * is a variant of it. `timeoutMs` limits one call of the port with all of its requests; default: 7 seconds.
 */
export function stripePayments(config: StripeBillingConfig): PaymentProvider {
  const { timeoutMs = 7_000, webhookSecrets } = config;
  const client = createStripeClient({ ...config, timeoutMs }, stripeErrors(BillingError, "not_found"));
  const begin = () => client.withDeadline();
  return {
    name: "stripe",
    capabilities: { portal: true, resume: true, expiresCheckouts: true, resolvesCheckouts: true },
    recognizes: isStripeSubscriptionId,
    plans: () => listPlans(begin()),
    createCustomer: (customer) => createStripeCustomer(begin(), customer),
    createCheckout: (request) => createStripeCheckout(begin(), request),
    expireCheckout: (reference) => expireStripeCheckout(begin(), reference),
    checkoutResult: (reference) => findStripeCheckoutSubscription(begin(), reference),
    createPortal: (subscription) => createPortal(begin(), subscription),
    cancel: (id) => cancelStripeSubscription(begin(), id),
    resume: (id) => resumeStripeSubscription(begin(), id),
    subscription: (id) => findStripeSubscription(begin(), id),
    subscriptionsSince: (since) => listStripeSubscriptionsSince(begin(), since),
    webhooks: stripeBillingWebhooks(webhookSecrets),
  };
}

/** Lists the active products that have a fixed recurring price, newest first as Stripe lists them. */
async function listPlans(call: StripeCall): Promise<Plan[]> {
  const [products, prices] = await Promise.all([
    listAllPages(call, "products.list", Product, (stripe, page, options) =>
      stripe.products.list({ active: true, ...page }, options),
    ),
    listAllPages(call, "prices.list", Price, (stripe, page, options) =>
      stripe.prices.list({ active: true, type: "recurring", ...page }, options),
    ),
  ]);
  return plansOf(products, prices);
}

const Portal = z.object({ url: PageUrl });

/** The account's portal configuration decides what the customer can do there. */
async function createPortal(
  call: StripeCall,
  { customerId: customer, returnUrl: return_url }: Parameters<PaymentProvider["createPortal"]>[0],
): Promise<string> {
  const { url } = await call("billingPortal.sessions.create", Portal, (stripe, options) =>
    stripe.billingPortal.sessions.create({ customer, return_url }, options),
  );
  return url;
}
