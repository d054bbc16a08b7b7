import type { Transaction } from "@purser/db";
import type { Act } from "@purser/platform";

/**
 * What an area does when an organization changes, in the transaction that changes it unless a hook says otherwise. The service
 * passes the hooks of all areas, so this package imports none of them.
 */
export interface OrganizationHooks {
  /** Runs before the transaction that deletes an organization, and may call a provider. An error refuses the deletion. */
  beforeDeletion?: (organizationId: string) => Promise<void>;
  /** Returns a sentence for the caller that says what must end before the organization can be deleted, or null. */
  blocksDeletion?: (transaction: Transaction, organizationId: string, now: Date) => Promise<string | null>;
  deleted?: (transaction: Transaction, organizationId: string) => Promise<void>;
  /** A member was removed or has deleted their account. */
  memberLeft?: (
    transaction: Transaction,
    act: Act,
    member: { organizationId: string; userId: string },
  ) => Promise<void>;
  /** The address of an owner who is removed or demoted, is deleted, or changes it. Runs before that. */
  ownerAddressEnds?: (
    transaction: Transaction,
    owner: { organizationId: string; userId: string; email: string },
  ) => Promise<void>;
  timeZoneChanged?: (
    transaction: Transaction,
    change: { organizationId: string; timeZone: string; now: Date },
  ) => Promise<void>;
}
