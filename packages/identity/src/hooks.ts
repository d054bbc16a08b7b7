import type { Executor, Transaction } from "@purser/db";
import type { Actor, OrganizationKeyCaller, Platform } from "@purser/platform";

/** What identity needs from above it. The service fills these, so this package does not import organizations. */
export interface IdentityHooks {
  /**
   * Runs in the transaction that deletes a user, before the user's row goes. `by` is the user themselves or an administrator.
   * Throws a Problem to refuse.
   */
  userDeleted(transaction: Transaction, userId: string, actor: Actor): Promise<void>;
  /** Runs in the transaction that changes a user's address, before the change. */
  addressChanges(transaction: Transaction, userId: string): Promise<void>;
  /** Whether an open invitation lets this e-mail sign up. */
  isInvited(db: Executor, email: string, now: Date): Promise<boolean>;
  /** Whether a presented API key has the form of an organization's key. */
  isKeyOfOrganization(key: string): boolean;
  /** Returns the caller that presents a key of an organization, or null if the key is not valid. */
  resolveOrganizationKey(
    platform: Pick<Platform, "db" | "clock">,
    key: string,
  ): Promise<OrganizationKeyCaller | null>;
}
