import { z } from "zod";
import { BillingError, type Checkout, type CheckoutRequest } from "@purser/billing/ports";
import type { PaddleCall } from "./client.ts";
import { PaddleId, PaddlePrice, isPaddleId, isOffered, paddleVariant } from "./mapping.ts";
import type { PaddleConfig } from "./settings.ts";

/** Paddle's pages do not end by themselves. A price may change meanwhile, and is then asked for anew. */
const openMilliseconds = 24 * 60 * 60 * 1000;

const Open = z.object({ id: PaddleId, checkout: z.object({ url: z.url({ protocol: /^https?$/ }) }) });

/**
 * Makes a transaction to be paid on our page. Asked twice it makes two, since Paddle has no idempotency keys: one whose
 * answer was lost is on no page, so that nobody can pay for it. Throws `not_found` for what is not on sale.
 */
export async function createPaddleCheckout(
  call: PaddleCall,
  { checkoutUrl, clock }: Pick<PaddleConfig, "checkoutUrl" | "clock">,
  request: CheckoutRequest,
): Promise<Checkout> {
  const { organizationId, checkoutId, customerId, variantId } = request;
  await requireOnSale(call, request);
  const { id, checkout } = await call("transactions.create", Open, (paddle) =>
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

const Offered = z.object({ id: PaddleId, status: z.string(), type: z.string() });
const PriceOnSale = PaddlePrice.extend({ product: Offered });

/** Paddle itself sells any active price, whatever plan it is thought to belong to. */
async function requireOnSale(call: PaddleCall, { planId, variantId }: CheckoutRequest): Promise<void> {
  if (!isPaddleId("pri", variantId))
    throw new BillingError("not_found", "Paddle has no prices of such an id");
  const { product, ...price } = await call("prices.get", PriceOnSale, (paddle) =>
    paddle.prices.get(variantId, { include: ["product"] }),
  );
  const isOnSale = product.id === planId && isOffered(product) && paddleVariant(price) !== null;
  if (!isOnSale) throw new BillingError("not_found", "Paddle, prices.get: it is not on sale");
}

const Transaction = z.object({ status: z.string(), subscriptionId: PaddleId.nullable() });

function retrieve(call: PaddleCall, reference: string) {
  requireTransaction(reference);
  return call("transactions.get", Transaction, (paddle) => paddle.transactions.get(reference));
}

/**
 * Ends a checkout, as far as Paddle does: it cancels no draft, which is what a transaction is until somebody has said
 * on the page where they live. That such a one is not paid for any more is up to our page, which does not open it.
 */
export async function expirePaddleCheckout(call: PaddleCall, reference: string): Promise<void> {
  requireTransaction(reference);
  try {
    await call("transactions.update", Transaction, (paddle) =>
      paddle.transactions.update(reference, { status: "canceled" }),
    );
  } catch (error) {
    if (!(error instanceof BillingError) || error.kind !== "refused") throw error;
    const { status } = await retrieve(call, reference);
    if (status === "ready") throw error;
  }
}

/** The subscription that was bought in a checkout; null while nothing was. */
export async function paddleCheckoutResult(call: PaddleCall, reference: string): Promise<string | null> {
  const { subscriptionId } = await retrieve(call, reference);
  return subscriptionId;
}

function requireTransaction(reference: string): void {
  if (!isPaddleId("txn", reference))
    throw new BillingError("not_found", "Paddle has no transactions of such an id");
}
