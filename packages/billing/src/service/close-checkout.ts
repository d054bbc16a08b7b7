import type { Transaction } from "@purser/db";
import type { Platform } from "@purser/platform";
import type { WebhookEffect } from "@purser/platform/inbox";
import {
  type CheckoutRow,
  closeCheckout,
  findCheckoutByReference,
  findOpenCheckout,
} from "../checkouts/store.ts";
import { isPayable } from "../checkouts/rules.ts";
import type { BillingPlatform } from "../context.ts";
import { billingJobs } from "../job-definitions.ts";
import { BillingError, type PaymentProviderName } from "../ports.ts";

/** Closes an open checkout, and expires it at its provider after the transaction commits. */
export async function closeOpenCheckout(
  { outbox }: Pick<Platform, "outbox">,
  transaction: Transaction,
  open: CheckoutRow,
  status: "COMPLETED" | "SUPERSEDED" | "EXPIRED" = "SUPERSEDED",
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

/**
 * Expires a page at its provider if the checkout is closed here. The provider may have been unable to when it was closed.
 */
export async function expireClosedCheckout(
  { db, clock, outbox }: Pick<Platform, "db" | "clock" | "outbox">,
  provider: PaymentProviderName,
  reference: string,
): Promise<WebhookEffect> {
  const checkout = await findCheckoutByReference(db, provider, reference);
  if (checkout === undefined || isPayable(checkout, clock.now())) return "IGNORED";
  await db.transaction((transaction) =>
    outbox.enqueue(transaction, billingJobs.expire, { provider, reference }),
  );
  return "APPLIED";
}

/** Expires a checkout at its provider, if it has a page there, and the provider is configured and can. */
export async function expireAtProvider(
  { payments }: BillingPlatform,
  { provider, reference }: Pick<CheckoutRow, "provider" | "reference">,
): Promise<void> {
  if (reference === null || !payments.configured.includes(provider)) return;
  const adapter = await payments.at(provider);
  if (!adapter.capabilities.expiresCheckouts) return;
  try {
    await adapter.expireCheckout(reference);
  } catch (error) {
    // A checkout that no longer exists accepts no payment, which is the goal.
    if (!BillingError.is(error, "not_found")) throw error;
  }
}
