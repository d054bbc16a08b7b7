import { createHash } from "node:crypto";
import { z } from "zod";
import { BillingError, type Checkout, type CheckoutRequest, type Customer } from "@purser/billing/ports";
import type { ApiCall } from "./client.ts";
import { Id, Metadata, PageUrl, Price, Product, Reference, Time, variantOf } from "./mapping.ts";

const Buyer = z.object({ id: Id });
const Buyers = z.object({ data: z.array(Buyer.extend({ metadata: Metadata })) });

/** Stripe's id of the team as a customer, who is made when there is none yet. */
export async function createCustomer(
  ask: ApiCall,
  { organizationId, name, email }: Customer,
): Promise<string> {
  const known = await ask("customers.list", Buyers, (stripe, options) =>
    stripe.customers.list({ email, limit: 100 }, options),
  );
  const found = known.data.find(({ metadata }) => metadata.purser_organization === organizationId);
  if (found !== undefined) return found.id;
  const fields = { name, email, metadata: { purser_organization: organizationId } };
  // Two checkouts may begin at once. With other details it is another request: Stripe would not take the same key.
  const details = createHash("sha256").update(JSON.stringify(fields)).digest("hex").slice(0, 16);
  const idempotencyKey = `purser:customer:${organizationId}:${details}`;
  const made = await ask("customers.create", Buyer, (stripe, options) =>
    stripe.customers.create(fields, { ...options, idempotencyKey }),
  );
  return made.id;
}

/** Makes a page to pay on, the same one for the same `checkoutId`. Throws `not_found` for what is not on sale. */
export async function createCheckout(ask: ApiCall, request: CheckoutRequest): Promise<Checkout> {
  const { checkoutId, customerId, email } = request;
  await requireOnSale(ask, request);
  if (customerId === null) return createSession(ask, request, { customer_email: email }, checkoutId);
  try {
    return await createSession(ask, request, { customer: customerId }, checkoutId);
  } catch (error) {
    if (!(error instanceof BillingError) || error.kind !== "not_found") throw error;
    // Somebody has deleted the customer at Stripe. Buying makes another one; the key stands for the first attempt.
    return createSession(ask, request, { customer_email: email }, `${checkoutId}:anew`);
  }
}

const PriceOnSale = Price.extend({ product: Product.omit({ name: true, description: true }) });

/** Stripe sells any active price, whatever plan it was taken for, and refuses the others like any wrong request. */
async function requireOnSale(ask: ApiCall, { planId, variantId }: CheckoutRequest): Promise<void> {
  const { product, ...price } = await ask("prices.retrieve", PriceOnSale, (stripe, options) =>
    stripe.prices.retrieve(variantId, { expand: ["product"] }, options),
  );
  const isOnSale = product.id === planId && product.active && variantOf(price) !== null;
  if (!isOnSale) throw new BillingError("not_found", "Stripe, prices.retrieve: it is not on sale");
}

const Open = z.object({ id: Id, url: PageUrl, expires_at: Time });

async function createSession(
  ask: ApiCall,
  { organizationId, checkoutId, variantId, returnUrl }: CheckoutRequest,
  customer: { customer: string } | { customer_email: string },
  idempotencyKey: string,
): Promise<Checkout> {
  const metadata = { purser_organization: organizationId, purser_checkout: checkoutId };
  // Nothing of it depends on the time: with other details, even another end, Stripe would not take the key again.
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
  const session = await ask("checkout.sessions.create", Open, (stripe, options) =>
    stripe.checkout.sessions.create(fields, { ...options, idempotencyKey }),
  );
  return { reference: session.id, url: session.url, expiresAt: session.expires_at };
}

const Session = z.object({ status: z.string().nullable(), subscription: Reference.nullable() });

const retrieveSession = (ask: ApiCall, reference: string) =>
  ask("checkout.sessions.retrieve", Session, (stripe, options) =>
    stripe.checkout.sessions.retrieve(reference, {}, options),
  );

/** Ends an open session. Stripe refuses to end one that is paid for or over: nothing is left to be done there. */
export async function expireCheckout(ask: ApiCall, reference: string): Promise<void> {
  try {
    await ask("checkout.sessions.expire", Session, (stripe, options) =>
      stripe.checkout.sessions.expire(reference, {}, options),
    );
  } catch (error) {
    if (!(error instanceof BillingError) || error.kind !== "refused") throw error;
    const { status } = await retrieveSession(ask, reference);
    if (status === "open") throw error;
  }
}

/** The subscription that was bought in a session; null while nothing was, or where nothing will be any more. */
export async function checkoutResult(ask: ApiCall, reference: string): Promise<string | null> {
  const { subscription } = await retrieveSession(ask, reference);
  return subscription;
}
