import { endedHoldReasons } from "./generated/ended-hold-reasons.ts";
import type { CardTransaction } from "./generated/purser-client.ts";

/**
 * Returns whether a purchase was refused, as people understand a decline. A hold that the merchant released, or that
 * expired, is DECLINED too, because no money moved.
 *
 * ```ts
 * const purchases = await purser.cards.transactions.list({ organizationId, status: "DECLINED" });
 * const refused = purchases.filter(isRefused);
 * ```
 */
export function isRefused({
  status,
  declineReason,
}: Pick<CardTransaction, "status" | "declineReason">): boolean {
  return status === "DECLINED" && !endedHoldReasons.includes(declineReason ?? "");
}
