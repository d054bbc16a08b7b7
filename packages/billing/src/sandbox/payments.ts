import { isId } from "@purser/core";
import type { PaymentProvider } from "../ports.ts";
import { catalogue } from "./catalog.ts";
import { checkoutResult, createCheckout, expireCheckout } from "./checkouts.ts";
import { customerIdOf, stateOf } from "./mapping.ts";
import { createPortal } from "./portals.ts";
import { testCard } from "./rules/cards.ts";
import { purgeCheckouts } from "./store/checkouts.ts";
import { purgePortals } from "./store/portals.ts";
import { listSince } from "./store/subscriptions.ts";
import {
  type SandboxPaymentsDependencies,
  cancelSubscription,
  presentSubscription,
  putCard,
  resumeSubscription,
} from "./subscriptions.ts";
import { localWebhooks } from "./webhooks.ts";

const mostSince = 1000;

/**
 * The payment provider that is built in: a small one after Stripe's example, with pages of its own, test cards, and a
 * clock for each subscription that can be moved. No money is in it.
 */
export function sandboxPayments(parts: SandboxPaymentsDependencies): PaymentProvider {
  return {
    name: "local",
    capabilities: { portal: true, resume: true, expiresCheckouts: true, resolvesCheckouts: true },
    recognizes: (subscriptionId) => isId("sub", subscriptionId),
    plans: async () => catalogue.map(({ trialDays: _days, afterDunning: _end, ...plan }) => plan),
    createCustomer: async ({ organizationId }) => customerIdOf(organizationId),
    createCheckout: (request) => createCheckout(parts, request),
    expireCheckout: (reference) => expireCheckout(parts, reference),
    checkoutResult: (reference) => checkoutResult(parts, reference),
    createPortal: (subscription) => createPortal(parts, subscription),
    cancel: (id) => cancelSubscription(parts, id),
    resume: (id) => resumeSubscription(parts, id),
    async subscription(id) {
      const subscription = await presentSubscription(parts, id);
      return subscription && stateOf(subscription);
    },
    async subscriptionsSince(since) {
      const made = await listSince(parts.db, since, mostSince);
      return made.map(({ id, organizationId }) => ({ subscriptionId: id, organizationId }));
    },
    webhooks: localWebhooks(parts.settings),
  };
}

/** Pays with a test card of this behavior from now on. Throws `not_found` and `ended`. */
export async function replaceCard(
  parts: SandboxPaymentsDependencies,
  id: string,
  behavior: "succeeds" | "fails",
): Promise<void> {
  await putCard(parts, id, testCard(behavior, parts.clock.now()));
}

/** Deletes what ended before this instant: portals, and checkouts without a payment. */
export async function purgePages(
  { db }: Pick<SandboxPaymentsDependencies, "db">,
  before: Date,
): Promise<void> {
  await purgePortals(db, before);
  await purgeCheckouts(db, before);
}
