import type { PaymentProvider } from "@purser/billing/ports";
import { paddleCheckoutResult, createPaddleCheckout, expirePaddleCheckout } from "./checkouts.ts";
import { paddleClient } from "./client.ts";
import { createPaddleCustomer, createPaddlePortal } from "./customers.ts";
import { isPaddleSubscriptionId } from "./mapping.ts";
import { listPaddlePlans } from "./plans.ts";
import type { PaddleConfig } from "./settings.ts";
import {
  cancelPaddleSubscription,
  findPaddleSubscription,
  resumePaddleSubscription,
  listPaddleSubscriptionsSince,
} from "./subscriptions.ts";
import { paddleWebhooks } from "./webhooks.ts";

/** Subscriptions through Paddle Billing. A product is a plan, a price a variant, and a checkout a transaction. */
export function paddlePayments(config: PaddleConfig): PaymentProvider {
  const newCall = paddleClient(config);
  return {
    name: "paddle",
    capabilities: { portal: true, resume: true, expiresCheckouts: true, resolvesCheckouts: true },
    recognizes: isPaddleSubscriptionId,
    plans: () => listPaddlePlans(newCall()),
    createCustomer: (customer) => createPaddleCustomer(newCall(), customer),
    createCheckout: (request) => createPaddleCheckout(newCall(), config, request),
    expireCheckout: (reference) => expirePaddleCheckout(newCall(), reference),
    checkoutResult: (reference) => paddleCheckoutResult(newCall(), reference),
    createPortal: (subscription) => createPaddlePortal(newCall(), subscription),
    cancel: (id) => cancelPaddleSubscription(newCall(), id),
    resume: (id) => resumePaddleSubscription(newCall(), id),
    subscription: (id) => findPaddleSubscription(newCall(), id),
    subscriptionsSince: (since) => listPaddleSubscriptionsSince(newCall(), since),
    webhooks: paddleWebhooks(config.webhookSecrets),
  };
}
