import type { Transaction } from "@purser/db";
import { findOwnerAddress } from "@purser/organizations";
import type { Platform } from "@purser/platform";
import type { BillingPlatform } from "../context.ts";
import { type CustomerMove, billingJobs } from "../job-definitions.ts";
import { BillingError } from "../ports.ts";
import { listBillingCustomers } from "../store.ts";

/** Enqueues a job for each customer of an organization that may have the address of this owner. */
export async function enqueueCustomerMoves(
  { outbox }: Pick<Platform, "outbox">,
  transaction: Transaction,
  { organizationId, userId, email: from }: { organizationId: string; userId: string; email: string },
): Promise<void> {
  const customers = await listBillingCustomers(transaction, organizationId);
  const moves = customers.map((customer) => ({ ...customer, organizationId, userId, from }));
  await outbox.enqueueAll(transaction, billingJobs.moveCustomer, moves);
}

/**
 * Replaces the old address of an owner with the present one, or with the creator's if the user is no owner any more. The
 * old one would get the invoices, and at some providers it admits to the portal.
 */
export async function moveCustomerAtProvider(
  { db, payments }: Pick<BillingPlatform, "db" | "payments">,
  { provider, customerId, from, ...owner }: CustomerMove,
): Promise<void> {
  if (!payments.configured.includes(provider)) return;
  const adapter = await payments.at(provider);
  try {
    // The address may change during the call, and the job of that change may have run before this one wrote.
    for (let present = from; ;) {
      const to = await findOwnerAddress(db, owner);
      if (to === undefined || to === present) return;
      await adapter.moveCustomer?.(customerId, { from: present, to });
      present = to;
    }
  } catch (error) {
    // A customer that no longer exists gets no mails.
    if (!BillingError.is(error, "not_found")) throw error;
  }
}
