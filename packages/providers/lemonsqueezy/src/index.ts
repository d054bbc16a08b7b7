import {
  BillingError,
  type Checkout,
  type CheckoutRequest,
  type PaymentProvider,
  type SubscriptionPointer,
} from "@purser/billing/ports";
import { isOnSale, listLemonSqueezyPlans } from "./catalog.ts";
import { type LemonSqueezyCall, listLemonSqueezyPages, lemonSqueezyClient } from "./client.ts";
import {
  CheckoutAnswer,
  SubscriptionAnswer,
  Subscriptions,
  isLemonSqueezyId,
  lemonSqueezyStatus,
  lemonSqueezySubscriptionState,
} from "./mapping.ts";
import type { LemonSqueezyConfig } from "./settings.ts";
import { lemonSqueezyWebhooks } from "./webhooks.ts";

/** How long a checkout can be paid: nothing ends it before, not even that the team has subscribed otherwise. */
const checkoutMilliseconds = 60 * 60 * 1000;

/** Subscriptions through Lemon Squeezy, which sells as the merchant of record. */
export function lemonSqueezyPayments(config: LemonSqueezyConfig): PaymentProvider {
  const { storeId, webhookSecrets, clock } = config;
  const newCall = lemonSqueezyClient(config);
  return {
    name: "lemonsqueezy",
    capabilities: { portal: true, resume: true, expiresCheckouts: false, resolvesCheckouts: false },
    recognizes: isLemonSqueezyId,
    plans: () => listLemonSqueezyPlans(newCall(), storeId),
    createCustomer: async () => null,
    createCheckout: (request) => createCheckout(newCall(), config, request),
    expireCheckout: () => notSupported("a checkout cannot be ended"),
    checkoutResult: () => notSupported("a checkout does not tell what came of it"),
    createPortal: async ({ id }) => {
      const { attributes } = await existing(newCall(), storeId, id);
      const url = attributes.urls?.customer_portal;
      return url ?? notSupported("the subscription has no customer portal");
    },
    cancel: async (id) => {
      const call = newCall();
      const { cancelled } = await ongoing(call, config, id);
      if (cancelled) return;
      await call("subscriptions.cancel", SubscriptionAnswer, (sdk) => sdk.cancelSubscription(id));
    },
    resume: async (id) => {
      const call = newCall();
      const { cancelled } = await ongoing(call, config, id);
      if (!cancelled) return;
      await call("subscriptions.update", SubscriptionAnswer, (sdk) =>
        sdk.updateSubscription(id, { cancelled: false }),
      );
    },
    subscription: async (id) => {
      const answer = await find(newCall(), storeId, id);
      return answer && lemonSqueezySubscriptionState(answer, clock.now());
    },
    subscriptionsSince: (since) => listSince(newCall(), storeId, since),
    webhooks: lemonSqueezyWebhooks(webhookSecrets, storeId),
  };
}

async function createCheckout(
  call: LemonSqueezyCall,
  { storeId, clock }: LemonSqueezyConfig,
  request: CheckoutRequest,
): Promise<Checkout> {
  const { checkoutId, organizationId, planId, variantId, name, email, returnUrl } = request;
  // Lemon Squeezy makes checkouts for drafts, too.
  if (!(await isOnSale(call, storeId, { planId, variantId }))) {
    throw new BillingError("not_found", "Lemon Squeezy does not have the variant on sale");
  }
  const expiresAt = new Date(clock.now().getTime() + checkoutMilliseconds);
  const { data } = await call("checkouts.create", CheckoutAnswer, (sdk) =>
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
async function find(call: LemonSqueezyCall, storeId: string, id: string): Promise<SubscriptionAnswer | null> {
  if (!isLemonSqueezyId(id)) return null;
  try {
    const answer = await call("subscriptions.retrieve", SubscriptionAnswer, (sdk) =>
      sdk.getSubscription(id, { include: ["variant"] }),
    );
    return answer.data.attributes.store_id === storeId ? answer : null;
  } catch (error) {
    if (error instanceof BillingError && error.kind === "not_found") return null;
    throw error;
  }
}

async function existing(
  call: LemonSqueezyCall,
  storeId: string,
  id: string,
): Promise<SubscriptionAnswer["data"]> {
  const answer = await find(call, storeId, id);
  if (answer === null) throw new BillingError("not_found", "Lemon Squeezy has no such subscription");
  return answer.data;
}

/** One that can be changed. What becomes of another that is asked to change, Lemon Squeezy does not say. */
async function ongoing(call: LemonSqueezyCall, { storeId, clock }: LemonSqueezyConfig, id: string) {
  const subscription = await existing(call, storeId, id);
  if (lemonSqueezyStatus(subscription, clock.now()) === "CANCELED")
    throw new BillingError("ended", "The subscription has ended at Lemon Squeezy");
  return subscription.attributes;
}

/** Whose they are is not told: only a webhook can. */
async function listSince(
  call: LemonSqueezyCall,
  storeId: string,
  since: Date,
): Promise<SubscriptionPointer[]> {
  const found: SubscriptionPointer[] = [];
  const pages = listLemonSqueezyPages(call, "subscriptions.list", Subscriptions, (sdk, page) =>
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
