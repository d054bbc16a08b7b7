import {
  type Executor,
  type TenantKey,
  cardLedgerEntries,
  cardTransactions,
  cards,
  hasKey,
  refersTo,
} from "@purser/db";
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
    .where(and(hasKey(cards, { organizationId, id }), isNotNull(cards.issuedAt)));
  return card;
}

/** The authorization and the card of a transaction. */
export async function findPurchase(db: Executor, organizationId: string, id: string) {
  const [found] = await db
    .select({ card: cardColumns, authorization: cardTransactions.authorizationReference })
    .from(cardTransactions)
    .innerJoin(cards, refersTo(cardTransactions, "cardId", cards))
    .where(hasKey(cardTransactions, { organizationId, id }));
  return found;
}

/** The ledger entry of a network message, and its transaction now. */
export async function findMessage(db: Executor, card: TenantKey, networkId: string) {
  const [found] = await db
    .select({
      kind: cardLedgerEntries.kind,
      decision: cardLedgerEntries.decision,
      receivedAt: cardLedgerEntries.createdAt,
      transaction: cardTransactions,
    })
    .from(cardLedgerEntries)
    .innerJoin(cardTransactions, refersTo(cardLedgerEntries, "transactionId", cardTransactions))
    .where(
      and(
        eq(cardLedgerEntries.organizationId, card.organizationId),
        eq(cardLedgerEntries.cardId, card.id),
        eq(cardLedgerEntries.networkId, networkId),
      ),
    );
  return found;
}
