import type { Transaction } from "@purser/db";
import type { OrganizationHooks } from "@purser/organizations";
import type { Actor } from "@purser/platform";
import { hasActiveConnection } from "./connections/store.ts";

/** Banking's hooks into changes of organizations. */
export const bankingHooks: OrganizationHooks = {
  blocksDeletion: async (transaction, organizationId) =>
    (await hasActiveConnection(transaction, organizationId))
      ? "The organization has a bank connection that is active."
      : null,
};

/**
 * What an area does when a bank account changes, in the transaction that changes it. The service passes the hooks of all
 * areas, so this package imports none of them.
 */
export interface BankAccountHooks {
  /** An account was merged into another one, and is about to end. The caller holds the organization's lock. */
  accountMerged?: (
    transaction: Transaction,
    merge: {
      organizationId: string;
      accountId: string;
      intoAccountId: string;
      /** The person who merged them; null where a sync recognized the account. */
      actor: Actor;
    },
  ) => Promise<void>;
}
