import { type Executor, cardLedgerEntries, cardTransactions, refersTo } from "@purser/db";
import { and, eq, inArray } from "drizzle-orm";

export interface RecordedCard {
  organizationId: string;
  id: string;
}

/** Finds the ledger entries of a card with these network ids, with their transactions. */
export function findLedgerEntries(
  db: Executor,
  { organizationId, id: cardId }: RecordedCard,
  networkIds: readonly string[],
) {
  return db
    .select({ entry: cardLedgerEntries, transaction: cardTransactions })
    .from(cardLedgerEntries)
    .innerJoin(cardTransactions, refersTo(cardLedgerEntries, "transactionId", cardTransactions))
    .where(
      and(
        eq(cardLedgerEntries.organizationId, organizationId),
        eq(cardLedgerEntries.cardId, cardId),
        inArray(cardLedgerEntries.networkId, [...networkIds]),
      ),
    );
}
