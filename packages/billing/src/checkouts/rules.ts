import type { CheckoutRow } from "./store.ts";

/** Whether the page of a checkout may accept a payment. */
export function isPayable(
  { status, expiresAt }: Pick<CheckoutRow, "status" | "expiresAt">,
  now: Date,
): boolean {
  return status === "OPEN" && (expiresAt === null || expiresAt > now);
}
