import type { PaymentProvider } from "@purser/billing/ports";
import { listPaddlePlans } from "./catalog.ts";
import { createPaddleCheckout, expirePaddleCheckout, paddleCheckoutResult } from "./checkouts.ts";
import { type PaddleCall, isPaddleSubscriptionId, paddleClient } from "./client.ts";
import { createPaddleCustomer, createPaddlePortal } from "./customers.ts";
import type { PaddleConfig } from "./settings.ts";
import {
  cancelPaddleSubscription,
  findPaddleSubscription,
  listPaddleSubscriptionsSince,
  resumePaddleSubscription,
} from "./subscriptions.ts";
import { paddleWebhooks } from "./webhooks.ts";

/** Subscriptions through Paddle Billing. A product is a plan, a price is a variant, a transaction is a checkout. */
export function paddlePayments(config: PaddleConfig): PaymentProvider {
  const newCall = paddleClient(config);
  // A large catalog, or a long list, has more pages than one timeout allows for.
  const callWithOwnTimeout: PaddleCall = (...request) => newCall()(...request);
  return {
    name: "paddle",
    capabilities: { portal: true, resume: true, expiresCheckouts: true, resolvesCheckouts: true },
    hasCustomerPerAddress: true,
    recognizes: isPaddleSubscriptionId,
    plans: () => listPaddlePlans(callWithOwnTimeout),
    createCustomer: (customer) => createPaddleCustomer(newCall(), customer),
    createCheckout: (request) => createPaddleCheckout(newCall(), config, request),
    expireCheckout: (reference) => expirePaddleCheckout(newCall(), reference),
    checkoutResult: (reference) => paddleCheckoutResult(newCall(), reference),
    createPortal: (subscription) => createPaddlePortal(newCall(), subscription),
    cancel: (id) => cancelPaddleSubscription(newCall, id),
    resume: (id) => resumePaddleSubscription(newCall(), id),
    subscription: (id) => findPaddleSubscription(newCall(), id),
    subscriptionsSince: (since) => listPaddleSubscriptionsSince(callWithOwnTimeout, since),
    webhooks: paddleWebhooks(config.webhookSecrets),
  };
}
