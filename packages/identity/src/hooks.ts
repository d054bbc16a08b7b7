import type { Executor, Transaction } from "@purser/db";

/** What identity needs from above it. The service fills these, so this package does not import organizations. */
export interface IdentityHooks {
  /** Runs in the transaction that deletes a user, before the user's row goes. Throws a Problem to refuse. */
  userDeleted(transaction: Transaction, userId: string): Promise<void>;
  /** Whether an open invitation lets this e-mail sign up. */
  isInvited(db: Executor, email: string, now: Date): Promise<boolean>;
}
