import { type Executor, cardEvents, cardTransactions, cards } from "@purser/db";
import { and, eq, isNotNull } from "drizzle-orm";

const cardColumns = {
  organizationId: cards.organizationId,
  id: cards.id,
  issuer: cards.issuer,
  reference: cards.issuerReference,
  currency: cards.currency,
};

export async function findSandboxCard(db: Executor, organizationId: string, id: string) {
  const [card] = await db
    .select(cardColumns)
    .from(cards)
    .where(and(eq(cards.organizationId, organizationId), eq(cards.id, id), isNotNull(cards.issuedAt)));
  return card;
}

/** The authorization and the card of a transaction. */
export async function findPurchase(db: Executor, organizationId: string, id: string) {
  const [found] = await db
    .select({ card: cardColumns, authorization: cardTransactions.authorizationReference })
    .from(cardTransactions)
    .innerJoin(
      cards,
      and(eq(cards.organizationId, cardTransactions.organizationId), eq(cards.id, cardTransactions.cardId)),
    )
    .where(and(eq(cardTransactions.organizationId, organizationId), eq(cardTransactions.id, id)));
  return found;
}

/** The event of a network message, and its transaction now. */
export async function findMessage(
  db: Executor,
  card: { organizationId: string; id: string },
  networkId: string,
) {
  const [found] = await db
    .select({
      kind: cardEvents.kind,
      decision: cardEvents.decision,
      receivedAt: cardEvents.createdAt,
      transaction: cardTransactions,
    })
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
        eq(cardEvents.organizationId, card.organizationId),
        eq(cardEvents.cardId, card.id),
        eq(cardEvents.networkId, networkId),
      ),
    );
  return found;
}
