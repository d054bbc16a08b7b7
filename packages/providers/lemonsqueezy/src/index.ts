import {
  BillingError,
  type Checkout,
  type CheckoutRequest,
  type PaymentProvider,
  type SubscriptionPointer,
} from "@purser/billing/ports";
import { isOnSale, listPlans } from "./catalog.ts";
import { type ApiCall, eachPage, lemonSqueezyClient } from "./client.ts";
import {
  CheckoutAnswer,
  SubscriptionAnswer,
  Subscriptions,
  isId,
  statusOf,
  subscriptionState,
} from "./mapping.ts";
import type { LemonSqueezyConfig } from "./settings.ts";
import { lemonSqueezyWebhooks } from "./webhooks.ts";

/** How long a checkout can be paid: nothing ends it before, not even that the team has subscribed otherwise. */
const checkoutMilliseconds = 60 * 60 * 1000;

/** Subscriptions through Lemon Squeezy, which sells as the merchant of record. */
export function lemonsqueezyPayments(config: LemonSqueezyConfig): PaymentProvider {
  const { storeId, webhookSecrets, clock } = config;
  const begin = lemonSqueezyClient(config);
  return {
    name: "lemonsqueezy",
    capabilities: { portal: true, resume: true, expiresCheckouts: false, resolvesCheckouts: false },
    recognizes: isId,
    plans: () => listPlans(begin(), storeId),
    createCustomer: async () => null,
    createCheckout: (request) => createCheckout(begin(), config, request),
    expireCheckout: () => notSupported("a checkout cannot be ended"),
    checkoutResult: () => notSupported("a checkout does not tell what came of it"),
    createPortal: async ({ id }) => {
      const { attributes } = await existing(begin(), storeId, id);
      const url = attributes.urls?.customer_portal;
      return url ?? notSupported("the subscription has no customer portal");
    },
    cancel: async (id) => {
      const ask = begin();
      const { cancelled } = await ongoing(ask, config, id);
      if (cancelled) return;
      await ask("subscriptions.cancel", SubscriptionAnswer, (sdk) => sdk.cancelSubscription(id));
    },
    resume: async (id) => {
      const ask = begin();
      const { cancelled } = await ongoing(ask, config, id);
      if (!cancelled) return;
      await ask("subscriptions.update", SubscriptionAnswer, (sdk) =>
        sdk.updateSubscription(id, { cancelled: false }),
      );
    },
    subscription: async (id) => {
      const answer = await find(begin(), storeId, id);
      return answer && subscriptionState(answer, clock.now());
    },
    subscriptionsSince: (since) => listSince(begin(), storeId, since),
    webhooks: lemonSqueezyWebhooks(webhookSecrets, storeId),
  };
}

async function createCheckout(
  ask: ApiCall,
  { storeId, clock }: LemonSqueezyConfig,
  request: CheckoutRequest,
): Promise<Checkout> {
  const { checkoutId, organizationId, planId, variantId, name, email, returnUrl } = request;
  // Lemon Squeezy makes checkouts for drafts, too.
  if (!(await isOnSale(ask, storeId, { planId, variantId }))) {
    throw new BillingError("not_found", "Lemon Squeezy does not have the variant on sale");
  }
  const expiresAt = new Date(clock.now().getTime() + checkoutMilliseconds);
  const { data } = await ask("checkouts.create", CheckoutAnswer, (sdk) =>
    sdk.createCheckout(storeId, variantId, {
      // Otherwise all of the product's variants can be bought there.
      productOptions: { redirectUrl: returnUrl, enabledVariants: [Number(variantId)] },
      checkoutData: {
        email,
        name,
        custom: { purser_organization: organizationId, purser_checkout: checkoutId },
      },
      expiresAt: expiresAt.toISOString(),
    }),
  );
  return { reference: data.id, url: data.attributes.url, expiresAt: data.attributes.expires_at ?? expiresAt };
}

/** A subscription of the store's, with its variant; null where it has none of this id. */
async function find(ask: ApiCall, storeId: string, id: string): Promise<SubscriptionAnswer | null> {
  if (!isId(id)) return null;
  try {
    const answer = await ask("subscriptions.retrieve", SubscriptionAnswer, (sdk) =>
      sdk.getSubscription(id, { include: ["variant"] }),
    );
    return answer.data.attributes.store_id === storeId ? answer : null;
  } catch (error) {
    if (error instanceof BillingError && error.kind === "not_found") return null;
    throw error;
  }
}

async function existing(ask: ApiCall, storeId: string, id: string): Promise<SubscriptionAnswer["data"]> {
  const answer = await find(ask, storeId, id);
  if (answer === null) throw new BillingError("not_found", "Lemon Squeezy has no such subscription");
  return answer.data;
}

/** One that can be changed. What becomes of another that is asked to change, Lemon Squeezy does not say. */
async function ongoing(ask: ApiCall, { storeId, clock }: LemonSqueezyConfig, id: string) {
  const subscription = await existing(ask, storeId, id);
  if (statusOf(subscription, clock.now()) === "CANCELED")
    throw new BillingError("ended", "The subscription has ended at Lemon Squeezy");
  return subscription.attributes;
}

/** Whose they are is not told: only a webhook can. */
async function listSince(ask: ApiCall, storeId: string, since: Date): Promise<SubscriptionPointer[]> {
  const found: SubscriptionPointer[] = [];
  const pages = eachPage(ask, "subscriptions.list", Subscriptions, (sdk, page) =>
    sdk.listSubscriptions({ filter: { storeId }, page }),
  );
  // The newest come first.
  for await (const { data } of pages) {
    const recent = data.filter(({ attributes }) => attributes.created_at >= since);
    found.push(...recent.map(({ id }) => ({ subscriptionId: id, organizationId: null })));
    if (recent.length < data.length || found.length >= 1000) break;
  }
  return found.slice(0, 1000);
}

function notSupported(why: string): Promise<never> {
  return Promise.reject(new BillingError("refused", `Lemon Squeezy: ${why}`));
}
