import { type Executor, cardEvents, cardTransactions, cards, memberships } from "@purser/db";
import { and, eq, isNotNull, or } from "drizzle-orm";

/** Members see their own cards only; owners see all. */
const mayBeSeenBy = (userId: string) =>
  and(
    eq(memberships.userId, userId),
    isNotNull(cards.issuedAt),
    or(eq(memberships.role, "OWNER"), eq(cards.assignedToId, userId)),
  );

/** The organization of a card that this user sees. */
export async function findOrganizationOfCard(
  db: Executor,
  userId: string,
  cardId: string,
): Promise<string | null> {
  const [found] = await db
    .select({ organizationId: cards.organizationId })
    .from(memberships)
    .innerJoin(cards, and(eq(cards.organizationId, memberships.organizationId), eq(cards.id, cardId)))
    .where(mayBeSeenBy(userId));
  return found?.organizationId ?? null;
}

/** The organization of a card transaction that this user sees. */
export async function findOrganizationOfTransaction(
  db: Executor,
  userId: string,
  transactionId: string,
): Promise<string | null> {
  const [found] = await db
    .select({ organizationId: cardTransactions.organizationId })
    .from(memberships)
    .innerJoin(
      cardTransactions,
      and(
        eq(cardTransactions.organizationId, memberships.organizationId),
        eq(cardTransactions.id, transactionId),
      ),
    )
    .innerJoin(
      cards,
      and(eq(cards.organizationId, cardTransactions.organizationId), eq(cards.id, cardTransactions.cardId)),
    )
    .where(mayBeSeenBy(userId));
  return found?.organizationId ?? null;
}

const cardColumns = {
  organizationId: cards.organizationId,
  id: cards.id,
  issuer: cards.issuer,
  reference: cards.issuerReference,
  currency: cards.currency,
};

export async function findCard(db: Executor, organizationId: string, id: string) {
  const [card] = await db
    .select(cardColumns)
    .from(cards)
    .where(and(eq(cards.organizationId, organizationId), eq(cards.id, id), isNotNull(cards.issuedAt)));
  return card;
}

/** What the network calls a transaction of ours, and the card that it was made with. */
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

/** What has become of a message of the network: the event, and the transaction as it is now. */
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
