import type { LedgerRow } from "./matching.ts";

/** The row of the continuing account for each row of the same transaction. Each row is used once. */
export type Duplicates = Map<LedgerRow, LedgerRow>;

/**
 * Pairs the rows of two accounts that represent the same transaction, by the rules for a bank that lists its rows under
 * other ids: first those with the same content, then those with the same day, direction and amount. The two accounts are
 * one, so afterwards each amount appears on a day as often as the account has it that has it more often.
 *
 * Booked rows come first, so that a pending row never takes their duplicate. Removed rows, which are missing at their
 * bank, come last.
 */
export function pairDuplicates(rows: readonly LedgerRow[], continuing: readonly LedgerRow[]): Duplicates {
  const duplicates: Duplicates = new Map();
  const continuingByAmount = Map.groupBy(continuing, amountOf);
  for (const [amount, alike] of Map.groupBy(rows, amountOf)) {
    const free = new Set(continuingByAmount.get(amount)?.toSorted(byStatus));
    for (const ofStatus of Map.groupBy(alike.toSorted(byStatus), ({ status }) => status).values()) {
      const take = (row: LedgerRow, candidates: readonly LedgerRow[]) => {
        const match = candidates.find(({ status }) => status === row.status) ?? candidates[0];
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
 * What the row of the continuing account becomes, or null if it stays. It returns if only its own bank omits it. A pending
 * one is posted as the other bank has posted it.
 */
export function combineDuplicates(row: LedgerRow, match: LedgerRow): LedgerRow | null {
  if (row.status !== "POSTED" || match.status === "POSTED") return null;
  if (match.status === "REMOVED") return { ...match, status: "POSTED" };
  const { id, accountId, connectionId, externalId, idEpoch } = match;
  return { ...row, id, accountId, connectionId, externalId, idEpoch };
}
