import {
  BillingError,
  type Checkout,
  type CheckoutRequest,
  type CheckoutResult,
} from "@purser/billing/ports";
import type { Stripe } from "stripe";
import { z } from "zod";
import { Reference, type StripeCall, StripeId, StripePageUrl, Timestamp } from "../client.ts";
import { StripePrice, StripeProduct, stripeVariant } from "./catalog.ts";

interface StripeCheckoutRequest extends CheckoutRequest {
  automaticTax: boolean;
}

/**
 * Creates a checkout session. The same `checkoutId` returns the same session. Throws `not_found` if the price is not on
 * sale.
 */
export async function createStripeCheckout(
  call: StripeCall,
  request: StripeCheckoutRequest,
): Promise<Checkout> {
  const { checkoutId, customerId, email } = request;
  await requireOnSale(call, request);
  if (customerId === null) return createSession(call, request, { customer_email: email }, checkoutId);
  try {
    return await createSession(call, request, { customer: customerId }, checkoutId);
  } catch (error) {
    if (!BillingError.is(error, "not_found")) throw error;
    // The customer was deleted at Stripe. The checkout creates a new one. The first key belongs to the failed request.
    return createSession(call, request, { customer_email: email }, `${checkoutId}:anew`);
  }
}

const PriceWithProduct = StripePrice.extend({
  product: StripeProduct.omit({ name: true, description: true }),
});

/**
 * Checks what Stripe does not: it sells any active price, also one of another plan, and its error for an inactive one
 * looks like any invalid request.
 */
async function requireOnSale(call: StripeCall, { planId, variantId }: CheckoutRequest): Promise<void> {
  const { product, ...price } = await call("prices.retrieve", PriceWithProduct, (stripe, options) =>
    stripe.prices.retrieve(variantId, { expand: ["product"] }, options),
  );
  const isOnSale = product.id === planId && product.active && stripeVariant(price) !== null;
  if (!isOnSale) throw new BillingError("not_found", "Stripe, prices.retrieve: the price is not on sale");
}

const OpenSession = z.object({ id: StripeId, url: StripePageUrl, expires_at: Timestamp });

async function createSession(
  call: StripeCall,
  { organizationId, checkoutId, variantId, returnUrl, automaticTax }: StripeCheckoutRequest,
  customer: { customer: string } | { customer_email: string },
  key: string,
): Promise<Checkout> {
  const metadata = { purser_organization: organizationId, purser_checkout: checkoutId };
  // No field depends on the time (such as `expires_at`): Stripe rejects a key that it has seen with other parameters.
  const fields = {
    mode: "subscription",
    ...customer,
    client_reference_id: checkoutId,
    line_items: [{ price: variantId, quantity: 1 }],
    metadata,
    subscription_data: { metadata },
    success_url: returnUrl,
    cancel_url: returnUrl,
    ...(automaticTax && taxFields("customer" in customer)),
  };
  // The setting may change while a checkout is open, and with it the parameters.
  const idempotencyKey = automaticTax ? `${key}:tax` : key;
  const session = await call("checkout.sessions.create", OpenSession, (stripe, options) =>
    stripe.checkout.sessions.create(fields, { ...options, idempotencyKey }),
  );
  return { reference: session.id, url: session.url, expiresAt: session.expires_at };
}

/**
 * The account's default for automatic tax does not cover sessions that sell subscriptions
 * (https://docs.stripe.com/tax/checkout/automatic-tax-default). For an existing customer, Stripe requires that the address and
 * the name that the buyer enters are stored.
 */
function taxFields(isExistingCustomer: boolean) {
  return {
    automatic_tax: { enabled: true },
    tax_id_collection: { enabled: true },
    ...(isExistingCustomer && { customer_update: { address: "auto", name: "auto" } }),
  } satisfies Stripe.Checkout.SessionCreateParams;
}

const Session = z.object({ status: z.string().nullable(), subscription: Reference.nullable() });

const retrieveSession = (call: StripeCall, reference: string) =>
  call("checkout.sessions.retrieve", Session, (stripe, options) =>
    stripe.checkout.sessions.retrieve(reference, {}, options),
  );

/** Expires an open session. Does nothing if the session is already complete or expired, which Stripe refuses. */
export async function expireStripeCheckout(call: StripeCall, reference: string): Promise<void> {
  try {
    await call("checkout.sessions.expire", Session, (stripe, options) =>
      stripe.checkout.sessions.expire(reference, {}, options),
    );
  } catch (error) {
    if (!BillingError.is(error, "refused")) throw error;
    const { status } = await retrieveSession(call, reference);
    if (status === "open") throw error;
  }
}

/** See `PaymentProvider.checkoutResult`. Stripe names the subscription as soon as the session is complete. */
export async function stripeCheckoutResult(call: StripeCall, reference: string): Promise<CheckoutResult> {
  const { subscription } = await retrieveSession(call, reference);
  return subscription === null ? { status: "unpaid" } : { status: "paid", subscriptionId: subscription };
}
