import { z } from "zod";
import type { PaymentProvider } from "@purser/billing/ports";
import { checkoutResult, createCheckout, createCustomer, expireCheckout } from "./checkouts.ts";
import { type ApiCall, stripeClient } from "./client.ts";
import { PageUrl, recognizes } from "./mapping.ts";
import { listPlans } from "./plans.ts";
import type { StripeConfig } from "./settings.ts";
import { cancel, findSubscription, resume, subscriptionsSince } from "./subscriptions.ts";
import { stripeWebhooks } from "./webhooks.ts";

/** Subscriptions through Stripe Billing: hosted checkout, customer portal. A product is a plan, a price a variant. */
export function stripePayments(config: StripeConfig): PaymentProvider {
  const begin = stripeClient(config);
  return {
    name: "stripe",
    capabilities: { portal: true, resume: true, expiresCheckouts: true, resolvesCheckouts: true },
    recognizes,
    plans: () => listPlans(begin()),
    createCustomer: (customer) => createCustomer(begin(), customer),
    createCheckout: (request) => createCheckout(begin(), request),
    expireCheckout: (reference) => expireCheckout(begin(), reference),
    checkoutResult: (reference) => checkoutResult(begin(), reference),
    createPortal: (subscription) => createPortal(begin(), subscription),
    cancel: (id) => cancel(begin(), id),
    resume: (id) => resume(begin(), id),
    subscription: (id) => findSubscription(begin(), id),
    subscriptionsSince: (since) => subscriptionsSince(begin(), since),
    webhooks: stripeWebhooks(config.webhookSecrets),
  };
}

const Portal = z.object({ url: PageUrl });

/** The portal shows whatever the customer has, as the account has it configured. */
async function createPortal(
  ask: ApiCall,
  { customerId: customer, returnUrl: return_url }: Parameters<PaymentProvider["createPortal"]>[0],
): Promise<string> {
  const { url } = await ask("billingPortal.sessions.create", Portal, (stripe, options) =>
    stripe.billingPortal.sessions.create({ customer, return_url }, options),
  );
  return url;
}
