import type { BankTransaction } from "@purser/client";

/** A change of one of the fields that no bank overwrites. */
export type Change = { category: string | null } | { note: string | null };

/**
 * Takes a change back. A transaction does not tell whose category it has. If it was the bank's, it must be the bank's again,
 * or it would not follow the bank any more. So the own one goes first.
 */
export async function takeBack(
  before: Pick<BankTransaction, "category" | "note">,
  change: Change,
  update: (change: Change) => Promise<BankTransaction>,
): Promise<BankTransaction> {
  if ("note" in change) return update({ note: before.note });
  const ofBank = await update({ category: null });
  return ofBank.category === before.category ? ofBank : update({ category: before.category });
}
