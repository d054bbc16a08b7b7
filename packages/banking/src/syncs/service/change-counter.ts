import type { Transaction } from "@purser/db";
import type { LedgerRow } from "../rules/matching.ts";
import { addToCounts } from "../store/accounts.ts";
import { DailyTotals } from "../store/daily-totals.ts";

type CountedRow = Pick<LedgerRow, "accountId" | "status" | "transactionDate">;

/** What changes in the transactions of an account, pending ones included. */
export interface LedgerChange {
  added: number;
  modified: number;
  removed: number;
  /** The days between which all of these transactions are and, if their day changes, were. */
  firstDay: string;
  lastDay: string;
}

/**
 * What one update changes: the counts of the sync and of each account, and the number and daily totals of listed
 * transactions.
 */
export class ChangeCounter {
  readonly counts = { added: 0, modified: 0, removed: 0 };
  /** The changes of each account. */
  readonly changes = new Map<string, LedgerChange>();
  /** By how many the listed transactions of each account change. */
  readonly #deltas = new Map<string, number>();
  readonly totals = new DailyTotals();

  /** Counts the change of a row of an account; null where it does not exist, or is in another account. */
  count(before: CountedRow | null, after: CountedRow | null): void {
    const from = before?.status === "REMOVED" ? null : before;
    const to = after?.status === "REMOVED" ? null : after;
    const row = to ?? from;
    if (row === null) return;
    const change = to === null ? "removed" : from === null ? "added" : "modified";
    this.counts[change] += 1;
    const ofAccount = this.#changesOf(row);
    ofAccount[change] += 1;
    coverDay(ofAccount, row);
    if (from !== null) coverDay(ofAccount, from);
    const delta = Number(to?.status === "POSTED") - Number(from?.status === "POSTED");
    this.#deltas.set(row.accountId, (this.#deltas.get(row.accountId) ?? 0) + delta);
  }

  #changesOf({ accountId, transactionDate: day }: CountedRow): LedgerChange {
    let changes = this.changes.get(accountId);
    if (changes === undefined) {
      changes = { added: 0, modified: 0, removed: 0, firstDay: day, lastDay: day };
      this.changes.set(accountId, changes);
    }
    return changes;
  }

  /** Writes the numbers and totals of the accounts. */
  async write(transaction: Transaction, organizationId: string): Promise<void> {
    await addToCounts(transaction, organizationId, this.#deltas);
    await this.totals.write(transaction, organizationId);
  }
}

function coverDay(change: LedgerChange, { transactionDate: day }: CountedRow): void {
  if (day < change.firstDay) change.firstDay = day;
  if (day > change.lastDay) change.lastDay = day;
}
