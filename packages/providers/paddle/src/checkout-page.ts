import type { Platform } from "@purser/platform";
import { findCheckoutByReference } from "@purser/billing/checkouts";
import type { PaddleSettings } from "./settings.ts";

/** What the page needs on which Paddle's checkout opens. */
export interface PaddleCheckout {
  /** What Paddle.js is let in with; it is no secret. */
  clientToken: string;
  environment: "sandbox" | "production";
  /** Where the person goes on afterwards. */
  returnUrl: string;
}

/**
 * What a transaction at Paddle is opened with, or null for a checkout that is over. Paddle also sends customers here who
 * change how they pay: we do not know their transactions, and open them all the same.
 */
export async function findPaddleCheckout(
  { db, clock, settings: { baseUrl } }: Pick<Platform, "db" | "clock" | "settings">,
  { clientToken, environment }: Pick<PaddleSettings, "clientToken" | "environment">,
  transactionId: string,
): Promise<PaddleCheckout | null> {
  if (!/^txn_[a-z\d]{1,60}$/.test(transactionId)) return null;
  const checkout = await findCheckoutByReference(db, "paddle", transactionId);
  if (checkout === undefined) return { clientToken, environment, returnUrl: baseUrl };
  // Paddle keeps a checkout open whose page nobody has used yet, so this page decides that it is over.
  if (checkout.status !== "OPEN" || checkout.expiresAt! <= clock.now()) return null;
  return { clientToken, environment, returnUrl: `${baseUrl}/billing/checkouts/${checkout.id}/return` };
}
