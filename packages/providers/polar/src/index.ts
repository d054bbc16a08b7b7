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
import { type PolarCall, listPolarPages, polarClient } from "./client.ts";
import { findOrCreatePolarCustomer, createPolarPortal } from "./customers.ts";
import { CheckoutSession, PolarProduct, isPolarId, polarPlan } from "./mapping.ts";
import type { PolarConfig } from "./settings.ts";
import {
  polarCheckoutResult,
  findPolarSubscription,
  setPolarCancelAtPeriodEnd,
  listPolarSubscriptionsSince,
} from "./subscriptions.ts";
import { polarWebhooks } from "./webhooks.ts";

/** Payments through Polar, which is the seller of record. */
export function polarPayments(config: PolarConfig): PaymentProvider {
  const newCall = polarClient(config);
  return {
    name: "polar",
    // A checkout of Polar's cannot be ended; it expires after a day.
    capabilities: { portal: true, resume: true, expiresCheckouts: false, resolvesCheckouts: true },
    recognizes: isPolarId,
    plans: () => plansOnSale(newCall()),
    createCustomer: (customer) => findOrCreatePolarCustomer(newCall(), customer),
    createCheckout: (request) => createCheckout(newCall(), request),
    expireCheckout: async () => {
      throw new BillingError("refused", "Polar has no way to end a checkout");
    },
    checkoutResult: (reference) => polarCheckoutResult(newCall(), reference),
    createPortal: (subscription) => createPolarPortal(newCall(), subscription),
    cancel: (id) => setPolarCancelAtPeriodEnd(newCall(), id, true),
    resume: (id) => setPolarCancelAtPeriodEnd(newCall(), id, false),
    subscription: (id) => findPolarSubscription(newCall(), id),
    subscriptionsSince: (since) => listPolarSubscriptionsSince(newCall(), since),
    webhooks: polarWebhooks(config.webhookSecrets),
  };
}

async function plansOnSale(call: PolarCall): Promise<Plan[]> {
  const onSale = { is_archived: false, is_recurring: true, visibility: ["public" as const] };
  const products = await listPolarPages(call, "products.list", PolarProduct, (client, page, options) =>
    listProducts(client)({ ...onSale, ...page }, options),
  );
  return products.map(polarPlan).filter((plan) => plan !== null);
}

async function createCheckout(call: PolarCall, request: CheckoutRequest): Promise<Checkout> {
  const { checkoutId, organizationId, planId, variantId, returnUrl } = request;
  const { currency } = await variantOnSale(call, planId, variantId);
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
  } = await call("checkouts.create", CheckoutSession, (client, options) =>
    createCheckouts(client)(body, options),
  );
  return { reference: id, url, expiresAt };
}

async function variantOnSale(call: PolarCall, planId: string, variantId: string) {
  const product = isPolarId(planId)
    ? await call("products.get", PolarProduct, (client, options) => getProducts(client)(planId, options))
    : null;
  const plan = product && polarPlan(product);
  const variant = plan?.variants.find(({ id }) => id === variantId);
  if (variant === undefined)
    throw new BillingError("not_found", "Polar does not sell this product at this price");
  return variant;
}
