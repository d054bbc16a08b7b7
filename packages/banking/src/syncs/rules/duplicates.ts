import type { LedgerRow } from "./matching.ts";

/** The row of the continuing account for each row of the same transaction. Each row is used once. */
export type Duplicates = Map<LedgerRow, LedgerRow>;

/**
 * Pairs the rows of two accounts that represent the same transaction, by the rules for a bank that lists its rows under
 * other ids: first those with the same content, then those with the same day, direction and amount. The two accounts are
 * one, so afterwards each amount appears on a day as often as the account has it that has it more often.
 *
 * Posted rows come first, so that a pending row never takes their duplicate. Removed rows, which are missing at their
 * bank, come last. A posted row never pairs with a pending one, which its bank may withdraw: the posted row stays until that
 * bank posts the payment.
 */
export function pairDuplicates(rows: readonly LedgerRow[], continuing: readonly LedgerRow[]): Duplicates {
  const duplicates: Duplicates = new Map();
  const continuingByAmount = Map.groupBy(continuing, amountOf);
  for (const [amount, alike] of Map.groupBy(rows, amountOf)) {
    const free = new Set(continuingByAmount.get(amount)?.toSorted(byStatus));
    for (const ofStatus of Map.groupBy(alike.toSorted(byStatus), ({ status }) => status).values()) {
      const take = (row: LedgerRow, candidates: readonly LedgerRow[]) => {
        const fitting = candidates.filter(({ status }) => row.status !== "POSTED" || status !== "PENDING");
        const match = fitting.find(({ status }) => status === row.status) ?? fitting[0];
        if (match === undefined) return;
        duplicates.set(row, match);
        free.delete(match);
      };
      for (const row of ofStatus) {
        take(
          row,
          [...free].filter(({ description }) => description === row.description),
        );
      }
      for (const row of ofStatus.filter((each) => !duplicates.has(each))) take(row, [...free]);
    }
  }
  return duplicates;
}

const amountOf = ({ transactionDate, amount, currency, type }: LedgerRow): string =>
  [transactionDate, amount, currency, type].join(" ");

const statusOrder = ["POSTED", "PENDING", "REMOVED"];
const byStatus = (one: LedgerRow, other: LedgerRow): number =>
  statusOrder.indexOf(one.status) - statusOrder.indexOf(other.status);

/**
 * What the row of the continuing account becomes, or null if it stays. One that its own bank omits returns as the row of the
 * other bank: otherwise the next reading of its own bank would remove it again. It has the other bank's id, by which that
 * bank finds it if it continues the account later.
 */
export function combineDuplicates(row: LedgerRow, match: LedgerRow): LedgerRow | null {
  if (row.status !== "POSTED" || match.status !== "REMOVED") return null;
  const { connectionId, externalId, idEpoch } = row;
  return { ...match, status: "POSTED", connectionId, externalId, idEpoch };
}
