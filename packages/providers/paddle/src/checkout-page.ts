import { findCheckoutByReference, isPayable } from "@purser/billing/checkouts";
import type { Platform } from "@purser/platform";
import type { PaddleSettings } from "./settings.ts";

/** The data of the page on which Paddle.js opens its checkout. */
export interface PaddleCheckout {
  /** Authenticates Paddle.js. It is public. */
  clientToken: string;
  environment: PaddleSettings["environment"];
  /** Where the browser continues afterwards. */
  returnUrl: string;
  /** Whether nothing is left to pay. */
  isPaid: boolean;
}

/**
 * Returns the data to open a transaction with, or null for a checkout that was closed without a payment. Paddle also sends
 * customers here to update their payment method: those transactions are unknown to us, and open all the same.
 */
export async function findPaddleCheckout(
  { db, clock, settings: { baseUrl } }: Pick<Platform, "db" | "clock" | "settings">,
  { clientToken, environment }: Pick<PaddleSettings, "clientToken" | "environment">,
  transactionId: string,
): Promise<PaddleCheckout | null> {
  if (!/^txn_[a-z\d]{1,60}$/.test(transactionId)) return null;
  const checkout = await findCheckoutByReference(db, "paddle", transactionId);
  if (checkout === undefined) return { clientToken, environment, returnUrl: baseUrl, isPaid: false };
  // Paddle cannot cancel a draft, so this page decides that a checkout is closed.
  const isPaid = checkout.status === "COMPLETED";
  if (!isPaid && !isPayable(checkout, clock.now())) return null;
  return {
    clientToken,
    environment,
    returnUrl: `${baseUrl}/billing/checkouts/${checkout.id}/return`,
    isPaid,
  };
}
