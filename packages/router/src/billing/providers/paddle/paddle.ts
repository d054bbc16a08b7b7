import type { Clock } from "@purser/core";
import type { PaymentProvider } from "../../ports.ts";
import { checkoutResult, createCheckout, expireCheckout } from "./checkouts.ts";
import { paddleClient } from "./client.ts";
import { createCustomer, createPortal } from "./customers.ts";
import { recognizes } from "./mapping.ts";
import { listPlans } from "./plans.ts";
import { cancel, findSubscription, resume, subscriptionsSince } from "./subscriptions.ts";
import { paddleWebhooks } from "./webhooks.ts";

export interface PaddleConfig {
  /**
   * An API key, `pdl_sdbx_apikey_…` or `pdl_live_apikey_…`, that may read products and prices, read and write
   * customers, transactions and subscriptions, and write customer portal sessions.
   */
  apiKey: string;
  /** The secrets of the notification destination, `pdl_ntfset_…`: two of them while one is rotated. */
  webhookSecrets: readonly string[];
  environment: "sandbox" | "production";
  /** The page of ours on which Paddle.js runs. Paddle has to have approved its domain. */
  checkoutUrl: string;
  /** Where the API is, if not at Paddle's own address of the environment. */
  baseUrl?: string | undefined;
  /** How long one call of the port may take, with all of its requests; 7 seconds where it is not given. */
  timeoutMs?: number | undefined;
  clock: Clock;
}

/** Subscriptions through Paddle Billing. A product is a plan, a price a variant, and a checkout a transaction. */
export function paddlePayments(config: PaddleConfig): PaymentProvider {
  const begin = paddleClient(config);
  return {
    name: "paddle",
    capabilities: { portal: true, resume: true, expiresCheckouts: true, tracesCheckouts: true },
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
