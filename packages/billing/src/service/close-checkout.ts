import type { Transaction } from "@purser/db";
import type { Platform } from "@purser/platform";
import { type CheckoutRow, closeCheckout, findOpenCheckout } from "../checkouts/store.ts";
import { billingJobs } from "../job-definitions.ts";

/** Ends an open checkout here, and at its provider once the transaction commits: nobody shall pay at it any more. */
export async function closeOpenCheckout(
  { outbox }: Pick<Platform, "outbox">,
  transaction: Transaction,
  open: CheckoutRow,
  status: "COMPLETED" | "SUPERSEDED" = "SUPERSEDED",
): Promise<void> {
  // As it is now: its provider may have answered since it was read.
  const closed = await closeCheckout(transaction, open, status);
  if (closed === undefined || closed.reference === null) return;
  const { provider, reference } = closed;
  await outbox.enqueue(transaction, billingJobs.expire, { provider, reference });
}

/** The same for a team that is deleted: nobody could end what is bought for it. The team is locked by whoever asks. */
export async function endCheckoutOf(
  platform: Pick<Platform, "outbox">,
  transaction: Transaction,
  organizationId: string,
): Promise<void> {
  const open = await findOpenCheckout(transaction, organizationId);
  if (open !== undefined) await closeOpenCheckout(platform, transaction, open);
}
