import { z } from "zod";
import { BillingError, type Checkout, type CheckoutRequest } from "@purser/billing/ports";
import type { ApiCall } from "./client.ts";
import { Id, Price, isIdOf, isOffered, variantOf } from "./mapping.ts";
import type { PaddleConfig } from "./settings.ts";

/** Paddle's pages do not end by themselves. A price may change meanwhile, and is then asked for anew. */
const openMilliseconds = 24 * 60 * 60 * 1000;

const Open = z.object({ id: Id, checkout: z.object({ url: z.url({ protocol: /^https?$/ }) }) });

/**
 * Makes a transaction to be paid on our page. Asked twice it makes two, since Paddle has no idempotency keys: one whose
 * answer was lost is on no page, so that nobody can pay for it. Throws `not_found` for what is not on sale.
 */
export async function createCheckout(
  ask: ApiCall,
  { checkoutUrl, clock }: Pick<PaddleConfig, "checkoutUrl" | "clock">,
  request: CheckoutRequest,
): Promise<Checkout> {
  const { organizationId, checkoutId, customerId, variantId } = request;
  await requireOnSale(ask, request);
  const { id, checkout } = await ask("transactions.create", Open, (paddle) =>
    paddle.transactions.create({
      items: [{ priceId: variantId, quantity: 1 }],
      ...(customerId !== null && { customerId }),
      // The subscription inherits it.
      customData: { purser_organization: organizationId, purser_checkout: checkoutId },
      checkout: { url: checkoutUrl },
    }),
  );
  const expiresAt = new Date(clock.now().getTime() + openMilliseconds);
  return { reference: id, url: checkout.url, expiresAt };
}

const Offered = z.object({ id: Id, status: z.string(), type: z.string() });
const PriceOnSale = Price.extend({ product: Offered });

/** Paddle itself sells any active price, whatever plan it is thought to belong to. */
async function requireOnSale(ask: ApiCall, { planId, variantId }: CheckoutRequest): Promise<void> {
  if (!isIdOf("pri", variantId)) throw new BillingError("not_found", "Paddle has no prices of such an id");
  const { product, ...price } = await ask("prices.get", PriceOnSale, (paddle) =>
    paddle.prices.get(variantId, { include: ["product"] }),
  );
  const isOnSale = product.id === planId && isOffered(product) && variantOf(price) !== null;
  if (!isOnSale) throw new BillingError("not_found", "Paddle, prices.get: it is not on sale");
}

const Transaction = z.object({ status: z.string(), subscriptionId: Id.nullable() });

function retrieve(ask: ApiCall, reference: string) {
  requireTransaction(reference);
  return ask("transactions.get", Transaction, (paddle) => paddle.transactions.get(reference));
}

/**
 * Ends a checkout, as far as Paddle does: it cancels no draft, which is what a transaction is until somebody has said
 * on the page where they live. That such a one is not paid for any more is up to our page, which does not open it.
 */
export async function expireCheckout(ask: ApiCall, reference: string): Promise<void> {
  requireTransaction(reference);
  try {
    await ask("transactions.update", Transaction, (paddle) =>
      paddle.transactions.update(reference, { status: "canceled" }),
    );
  } catch (error) {
    if (!(error instanceof BillingError) || error.kind !== "refused") throw error;
    const { status } = await retrieve(ask, reference);
    if (status === "ready") throw error;
  }
}

/** The subscription that was bought in a checkout; null while nothing was. */
export async function checkoutResult(ask: ApiCall, reference: string): Promise<string | null> {
  const { subscriptionId } = await retrieve(ask, reference);
  return subscriptionId;
}

function requireTransaction(reference: string): void {
  if (!isIdOf("txn", reference))
    throw new BillingError("not_found", "Paddle has no transactions of such an id");
}
