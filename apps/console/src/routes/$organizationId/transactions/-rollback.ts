import type { BankTransaction } from "@purser/client";

/** A change of one of the fields that no bank overwrites. */
export type Change = { category: string | null } | { note: string | null };

/**
 * The transaction as it is now, without a change that was shown and not saved. What somebody else has changed meanwhile
 * stays.
 */
export function withoutChange(
  now: BankTransaction,
  before: Pick<BankTransaction, "category" | "note">,
  change: Change,
): BankTransaction {
  if ("note" in change) return now.note === change.note ? { ...now, note: before.note } : now;
  return now.category === change.category ? { ...now, category: before.category } : now;
}

/**
 * Takes a change back. A transaction does not tell whose category it has. If it was the bank's, it must be the bank's again,
 * or it would not follow the bank any more. So the own one goes first.
 */
export async function rollBack(
  before: Pick<BankTransaction, "category" | "note">,
  change: Change,
  update: (change: Change) => Promise<BankTransaction>,
): Promise<BankTransaction> {
  if ("note" in change) return update({ note: before.note });
  const ofBank = await update({ category: null });
  return ofBank.category === before.category ? ofBank : update({ category: before.category });
}
