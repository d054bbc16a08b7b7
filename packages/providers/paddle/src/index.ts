import type { PaymentProvider } from "@purser/billing/ports";
import { checkoutResult, createCheckout, expireCheckout } from "./checkouts.ts";
import { paddleClient } from "./client.ts";
import { createCustomer, createPortal } from "./customers.ts";
import { recognizes } from "./mapping.ts";
import { listPlans } from "./plans.ts";
import type { PaddleConfig } from "./settings.ts";
import { cancel, findSubscription, resume, subscriptionsSince } from "./subscriptions.ts";
import { paddleWebhooks } from "./webhooks.ts";

/** Subscriptions through Paddle Billing. A product is a plan, a price a variant, and a checkout a transaction. */
export function paddlePayments(config: PaddleConfig): PaymentProvider {
  const begin = paddleClient(config);
  return {
    name: "paddle",
    capabilities: { portal: true, resume: true, expiresCheckouts: true, resolvesCheckouts: true },
    recognizes,
    plans: () => listPlans(begin()),
    createCustomer: (customer) => createCustomer(begin(), customer),
    createCheckout: (request) => createCheckout(begin(), config, request),
    expireCheckout: (reference) => expireCheckout(begin(), reference),
    checkoutResult: (reference) => checkoutResult(begin(), reference),
    createPortal: (subscription) => createPortal(begin(), subscription),
    cancel: (id) => cancel(begin(), id),
    resume: (id) => resume(begin(), id),
    subscription: (id) => findSubscription(begin(), id),
    subscriptionsSince: (since) => subscriptionsSince(begin(), since),
    webhooks: paddleWebhooks(config.webhookSecrets),
  };
}
