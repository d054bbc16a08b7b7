import { type Executor, cardEvents, cardTransactions } from "@purser/db";
import { and, eq, inArray } from "drizzle-orm";

export interface RecordedCard {
  organizationId: string;
  id: string;
}

/** Finds the ledger entries of a card with these network ids, with their transactions. */
export function findEntries(
  db: Executor,
  { organizationId, id: cardId }: RecordedCard,
  networkIds: readonly string[],
) {
  return db
    .select({ entry: cardEvents, transaction: cardTransactions })
    .from(cardEvents)
    .innerJoin(
      cardTransactions,
      and(
        eq(cardTransactions.organizationId, cardEvents.organizationId),
        eq(cardTransactions.id, cardEvents.transactionId),
      ),
    )
    .where(
      and(
        eq(cardEvents.organizationId, organizationId),
        eq(cardEvents.cardId, cardId),
        inArray(cardEvents.networkId, [...networkIds]),
      ),
    );
}
