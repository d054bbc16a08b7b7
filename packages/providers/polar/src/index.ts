import type { models } from "@polar-sh/sdk/2026-10";
import { createCheckouts } from "@polar-sh/sdk/2026-10/services/checkouts";
import { getProducts, listProducts } from "@polar-sh/sdk/2026-10/services/products";
import {
  BillingError,
  type Checkout,
  type CheckoutRequest,
  type PaymentProvider,
  type Plan,
} from "@purser/billing/ports";
import { type ApiCall, every, polarClient } from "./client.ts";
import { customerFor, portalFor } from "./customers.ts";
import { CheckoutSession, Product, isPolarId, planOf } from "./mapping.ts";
import type { PolarConfig } from "./settings.ts";
import {
  checkoutResult,
  findSubscription,
  setCancelAtPeriodEnd,
  subscriptionsSince,
} from "./subscriptions.ts";
import { polarWebhooks } from "./webhooks.ts";

/** Payments through Polar, which is the seller of record. */
export function polarPayments(config: PolarConfig): PaymentProvider {
  const begin = polarClient(config);
  return {
    name: "polar",
    // A checkout of Polar's cannot be ended; it expires after a day.
    capabilities: { portal: true, resume: true, expiresCheckouts: false, resolvesCheckouts: true },
    recognizes: isPolarId,
    plans: () => plansOnSale(begin()),
    createCustomer: (customer) => customerFor(begin(), customer),
    createCheckout: (request) => createCheckout(begin(), request),
    expireCheckout: async () => {
      throw new BillingError("refused", "Polar has no way to end a checkout");
    },
    checkoutResult: (reference) => checkoutResult(begin(), reference),
    createPortal: (subscription) => portalFor(begin(), subscription),
    cancel: (id) => setCancelAtPeriodEnd(begin(), id, true),
    resume: (id) => setCancelAtPeriodEnd(begin(), id, false),
    subscription: (id) => findSubscription(begin(), id),
    subscriptionsSince: (since) => subscriptionsSince(begin(), since),
    webhooks: polarWebhooks(config.webhookSecrets),
  };
}

async function plansOnSale(ask: ApiCall): Promise<Plan[]> {
  const onSale = { is_archived: false, is_recurring: true, visibility: ["public" as const] };
  const products = await every(ask, "products.list", Product, (client, page, options) =>
    listProducts(client)({ ...onSale, ...page }, options),
  );
  return products.map(planOf).filter((plan) => plan !== null);
}

async function createCheckout(ask: ApiCall, request: CheckoutRequest): Promise<Checkout> {
  const { checkoutId, organizationId, planId, variantId, returnUrl } = request;
  const { currency } = await variantOnSale(ask, planId, variantId);
  const body: models.CheckoutCreate = {
    products: [planId],
    // A product has one price in each currency: this is how a variant is chosen.
    currency: currency.toLowerCase() as models.PresentmentCurrency,
    // The customer that was made for the team is found by this.
    external_customer_id: organizationId,
    customer_email: request.email,
    customer_name: request.name,
    metadata: { purser_organization: organizationId, purser_checkout: checkoutId },
    success_url: returnUrl,
    return_url: returnUrl,
  };
  const {
    id,
    url,
    expires_at: expiresAt,
  } = await ask("checkouts.create", CheckoutSession, (client, options) =>
    createCheckouts(client)(body, options),
  );
  return { reference: id, url, expiresAt };
}

async function variantOnSale(ask: ApiCall, planId: string, variantId: string) {
  const product = isPolarId(planId)
    ? await ask("products.get", Product, (client, options) => getProducts(client)(planId, options))
    : null;
  const plan = product && planOf(product);
  const variant = plan?.variants.find(({ id }) => id === variantId);
  if (variant === undefined)
    throw new BillingError("not_found", "Polar does not sell this product at this price");
  return variant;
}
