import {
  BillingError,
  type Checkout,
  type CheckoutRequest,
  type CheckoutResult,
} from "@purser/billing/ports";
import { addMs, dayMs } from "@purser/core";
import { z } from "zod";
import { PaddlePrice, isOffered, paddleVariant } from "./catalog.ts";
import { type PaddleCall, PaddleId, isPaddleId, paddleCustomData } from "./client.ts";
import type { PaddleConfig } from "./settings.ts";

/** Paddle's transactions never expire, but a price may change. After a day the team starts a new checkout. */
const lifetimeMs = dayMs;

const CreatedTransaction = z.object({
  id: PaddleId,
  checkout: z.object({ url: z.url({ protocol: /^https?$/ }) }),
});

/**
 * Creates a transaction that is paid on our page. Paddle has no idempotency keys, so a repeated call creates a second
 * transaction. A transaction whose response was lost is on no page and cannot be paid. Throws `not_found`.
 */
export async function createPaddleCheckout(
  call: PaddleCall,
  { checkoutUrl, clock }: Pick<PaddleConfig, "checkoutUrl" | "clock">,
  request: CheckoutRequest,
): Promise<Checkout> {
  const { customerId, variantId } = request;
  await requireOnSale(call, request);
  const { id, checkout } = await call("transactions.create", CreatedTransaction, (paddle) =>
    paddle.transactions.create({
      items: [{ priceId: variantId, quantity: 1 }],
      ...(customerId !== null && { customerId }),
      customData: paddleCustomData(request),
      checkout: { url: checkoutUrl },
    }),
  );
  const expiresAt = addMs(clock.now(), lifetimeMs);
  return { reference: id, url: checkout.url, expiresAt };
}

const OfferedProduct = z.object({ id: PaddleId, status: z.string(), type: z.string() });
const PriceWithProduct = PaddlePrice.extend({ product: OfferedProduct });

/** Paddle sells any active price, whichever product the caller named. */
async function requireOnSale(call: PaddleCall, { planId, variantId }: CheckoutRequest): Promise<void> {
  if (!isPaddleId("pri", variantId))
    throw new BillingError("not_found", "Paddle has no price ids of this form");
  const { product, ...price } = await call("prices.get", PriceWithProduct, (paddle) =>
    paddle.prices.get(variantId, { include: ["product"] }),
  );
  const isOnSale = product.id === planId && isOffered(product) && paddleVariant(price) !== null;
  if (!isOnSale) throw new BillingError("not_found", "Paddle, prices.get: the price is not on sale");
}

const Transaction = z.object({ status: z.string(), subscriptionId: PaddleId.nullable() });

/**
 * Cancels a transaction as far as Paddle allows. Paddle cancels no draft, which a transaction is until the customer
 * enters an address on the page. Our page does not open an expired draft.
 */
export async function expirePaddleCheckout(call: PaddleCall, reference: string): Promise<void> {
  requireTransactionId(reference);
  try {
    await call("transactions.update", Transaction, (paddle) =>
      paddle.transactions.update(reference, { status: "canceled" }),
    );
  } catch (error) {
    if (!BillingError.is(error, "refused")) throw error;
    const { status } = await getTransaction(call, reference);
    if (status === "ready") throw error;
  }
}

/**
 * See `PaymentProvider.checkoutResult`. A transaction is `paid` as soon as the money is captured, and may get its
 * subscription only when it is `completed`.
 */
export async function paddleCheckoutResult(call: PaddleCall, reference: string): Promise<CheckoutResult> {
  const { status, subscriptionId } = await getTransaction(call, reference);
  if (subscriptionId !== null) return { status: "paid", subscriptionId };
  return { status: status === "paid" || status === "completed" ? "processing" : "unpaid" };
}

function getTransaction(call: PaddleCall, reference: string) {
  requireTransactionId(reference);
  return call("transactions.get", Transaction, (paddle) => paddle.transactions.get(reference));
}

function requireTransactionId(reference: string): void {
  if (!isPaddleId("txn", reference))
    throw new BillingError("not_found", "Paddle has no transaction ids of this form");
}
