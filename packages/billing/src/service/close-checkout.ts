import type { Transaction } from "@purser/db";
import type { Platform } from "@purser/platform";
import { type CheckoutRow, closeCheckout, findOpenCheckout } from "../checkouts/store.ts";
import { billingJobs } from "../job-definitions.ts";

/** Closes an open checkout, and expires it at its provider after the transaction commits. */
export async function closeOpenCheckout(
  { outbox }: Pick<Platform, "outbox">,
  transaction: Transaction,
  open: CheckoutRow,
  status: "COMPLETED" | "SUPERSEDED" = "SUPERSEDED",
): Promise<void> {
  // Use the row that the update returns: the provider may have answered since `open` was read.
  const closed = await closeCheckout(transaction, open, status);
  if (closed === undefined || closed.reference === null) return;
  const { provider, reference } = closed;
  await outbox.enqueue(transaction, billingJobs.expire, { provider, reference });
}

/** Closes the checkout of an organization that is being deleted. The caller holds the organization's lock. */
export async function closeCheckoutOfOrganization(
  platform: Pick<Platform, "outbox">,
  transaction: Transaction,
  organizationId: string,
): Promise<void> {
  const open = await findOpenCheckout(transaction, organizationId);
  if (open !== undefined) await closeOpenCheckout(platform, transaction, open);
}
