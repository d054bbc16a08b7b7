import { isId } from "@purser/core";
import type { PaymentProvider } from "../ports.ts";
import { sandboxPlans } from "./catalog.ts";
import { createSandboxCheckout, expireSandboxCheckout, sandboxCheckoutResult } from "./checkouts.ts";
import { sandboxCustomerId, toSubscriptionState } from "./mapping.ts";
import { createSandboxPortal } from "./portals.ts";
import { type TestCardBehavior, testCard } from "./rules/cards.ts";
import { purgeSandboxCheckouts, purgeSandboxPortals } from "./store/pages.ts";
import { listSandboxSubscriptionsSince } from "./store/subscriptions.ts";
import {
  type SandboxPaymentsDependencies,
  cancelSandboxSubscription,
  putSandboxCard,
  readSandboxSubscription,
  resumeSandboxSubscription,
} from "./subscriptions.ts";
import { sandboxBillingWebhooks } from "./webhooks.ts";

const maxListed = 1000;

/**
 * The built-in payment provider, modeled on Stripe: it has its own checkout and portal pages, test cards, and a movable
 * clock per subscription. It moves no money.
 */
export function sandboxPayments(dependencies: SandboxPaymentsDependencies): PaymentProvider {
  return {
    name: "local",
    capabilities: { portal: true, resume: true, expiresCheckouts: true, resolvesCheckouts: true },
    hasCustomerPerAddress: false,
    recognizes: (subscriptionId) => isId("sub", subscriptionId),
    plans: async () => sandboxPlans.map(({ trialDays: _days, afterDunning: _end, ...plan }) => plan),
    createCustomer: async ({ organizationId }) => sandboxCustomerId(organizationId),
    createCheckout: (request) => createSandboxCheckout(dependencies, request),
    expireCheckout: (reference) => expireSandboxCheckout(dependencies, reference),
    checkoutResult: (reference) => sandboxCheckoutResult(dependencies, reference),
    createPortal: (subscription) => createSandboxPortal(dependencies, subscription),
    cancel: (id) => cancelSandboxSubscription(dependencies, id),
    resume: (id) => resumeSandboxSubscription(dependencies, id),
    async subscription(id) {
      const subscription = await readSandboxSubscription(dependencies, id);
      return subscription && toSubscriptionState(subscription);
    },
    async subscriptionsSince(since) {
      const made = await listSandboxSubscriptionsSince(dependencies.db, since, maxListed);
      return made.map(({ id, organizationId }) => ({ subscriptionId: id, organizationId }));
    },
    webhooks: sandboxBillingWebhooks(dependencies.settings),
  };
}

/** Replaces the card with a test card of this behavior. Throws `not_found` and `ended`. */
export async function replaceSandboxCard(
  dependencies: SandboxPaymentsDependencies,
  id: string,
  behavior: TestCardBehavior,
): Promise<void> {
  await putSandboxCard(dependencies, id, testCard(behavior, dependencies.clock.now()));
}

/** Deletes portal sessions and unpaid checkouts that expired before this instant. */
export async function purgeSandboxBillingPages(
  { db }: Pick<SandboxPaymentsDependencies, "db">,
  before: Date,
): Promise<void> {
  await purgeSandboxPortals(db, before);
  await purgeSandboxCheckouts(db, before);
}
