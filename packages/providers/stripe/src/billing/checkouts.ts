import { createHash } from "node:crypto";
import {
  type BillingCustomer,
  BillingError,
  type Checkout,
  type CheckoutRequest,
} from "@purser/billing/ports";
import { z } from "zod";
import type { StripeCall } from "../client.ts";
import { Id, Reference, Timestamp } from "../mapping.ts";
import { Metadata, PageUrl, Price, Product, variantOf } from "./mapping.ts";

const CustomerResponse = z.object({ id: Id });
const CustomerList = z.object({ data: z.array(CustomerResponse.extend({ metadata: Metadata })) });

/** Returns Stripe's id of the team's customer. Creates the customer if there is none yet. */
export async function createStripeCustomer(
  call: StripeCall,
  { organizationId, name, email }: BillingCustomer,
): Promise<string> {
  const known = await call("customers.list", CustomerList, (stripe, options) =>
    stripe.customers.list({ email, limit: 100 }, options),
  );
  const found = known.data.find(({ metadata }) => metadata.purser_organization === organizationId);
  if (found !== undefined) return found.id;
  const fields = { name, email, metadata: { purser_organization: organizationId } };
  // The key deduplicates two checkouts that begin at once. It includes a hash of the fields because Stripe rejects a
  // key that it has seen with other parameters.
  const details = createHash("sha256").update(JSON.stringify(fields)).digest("hex").slice(0, 16);
  const idempotencyKey = `purser:customer:${organizationId}:${details}`;
  const created = await call("customers.create", CustomerResponse, (stripe, options) =>
    stripe.customers.create(fields, { ...options, idempotencyKey }),
  );
  return created.id;
}

/**
 * Creates a checkout session. The same `checkoutId` returns the same session. Throws `not_found` if the price is not on
 * sale.
 */
export async function createStripeCheckout(call: StripeCall, request: CheckoutRequest): Promise<Checkout> {
  const { checkoutId, customerId, email } = request;
  await requireOnSale(call, request);
  if (customerId === null) return createSession(call, request, { customer_email: email }, checkoutId);
  try {
    return await createSession(call, request, { customer: customerId }, checkoutId);
  } catch (error) {
    if (!(error instanceof BillingError) || error.kind !== "not_found") throw error;
    // The customer was deleted at Stripe. The checkout creates a new one. The first key belongs to the failed request.
    return createSession(call, request, { customer_email: email }, `${checkoutId}:anew`);
  }
}

const PriceWithProduct = Price.extend({ product: Product.omit({ name: true, description: true }) });

/**
 * Checks what Stripe does not: it sells any active price, also one of another plan, and its error for an inactive one
 * looks like any invalid request.
 */
async function requireOnSale(call: StripeCall, { planId, variantId }: CheckoutRequest): Promise<void> {
  const { product, ...price } = await call("prices.retrieve", PriceWithProduct, (stripe, options) =>
    stripe.prices.retrieve(variantId, { expand: ["product"] }, options),
  );
  const isOnSale = product.id === planId && product.active && variantOf(price) !== null;
  if (!isOnSale) throw new BillingError("not_found", "Stripe, prices.retrieve: the price is not on sale");
}

const OpenSession = z.object({ id: Id, url: PageUrl, expires_at: Timestamp });

async function createSession(
  call: StripeCall,
  { organizationId, checkoutId, variantId, returnUrl }: CheckoutRequest,
  customer: { customer: string } | { customer_email: string },
  idempotencyKey: string,
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
  };
  const session = await call("checkout.sessions.create", OpenSession, (stripe, options) =>
    stripe.checkout.sessions.create(fields, { ...options, idempotencyKey }),
  );
  return { reference: session.id, url: session.url, expiresAt: session.expires_at };
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
    if (!(error instanceof BillingError) || error.kind !== "refused") throw error;
    const { status } = await retrieveSession(call, reference);
    if (status === "open") throw error;
  }
}

/** Returns the id of the subscription bought in a session; null if the session is open or expired. */
export async function findStripeCheckoutSubscription(
  call: StripeCall,
  reference: string,
): Promise<string | null> {
  const { subscription } = await retrieveSession(call, reference);
  return subscription;
}
