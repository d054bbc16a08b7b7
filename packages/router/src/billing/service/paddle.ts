import type { BillingPlatform } from "../context.ts";
import { findCheckoutByReference } from "../checkouts/store.ts";

/** What the page needs on which Paddle's checkout opens. */
export interface PaddleCheckout {
  /** What Paddle.js is let in with; it is no secret. */
  clientToken: string;
  environment: "sandbox" | "production";
  /** Where the person goes on afterwards. */
  returnUrl: string;
}

/**
 * What a transaction at Paddle is opened with. Paddle also sends its customers here who are to change how they pay: of
 * such a transaction we know nothing, and open it all the same. Null for a checkout that is over, and where Paddle is
 * not used.
 */
export async function findPaddleCheckout(
  { db, clock, settings }: BillingPlatform,
  transactionId: string,
): Promise<PaddleCheckout | null> {
  const { paddle, baseUrl } = settings;
  if (paddle === null || !/^txn_[a-z\d]{1,60}$/.test(transactionId)) return null;
  const { clientToken, environment } = paddle;
  const checkout = await findCheckoutByReference(db, "paddle", transactionId);
  if (checkout === undefined) return { clientToken, environment, returnUrl: baseUrl };
  // Paddle ends no checkout on whose page nobody has begun yet: that it is over, is up to this page.
  if (checkout.status !== "OPEN" || checkout.expiresAt! <= clock.now()) return null;
  return { clientToken, environment, returnUrl: `${baseUrl}/billing/checkouts/${checkout.id}/return` };
}
