import { firstIdAt } from "@purser/core";
import { type Executor, cardEvents, cardTransactions, cards } from "@purser/db";
import { type SQL, and, desc, eq, gte, inArray, lt, lte, sql } from "drizzle-orm";
import type { z } from "zod";
import type { ListCardTransactions } from "./contract.ts";

const columns = {
  id: cardTransactions.id,
  cardId: cardTransactions.cardId,
  amount: cardTransactions.amount,
  currency: cardTransactions.currency,
  merchantName: cardTransactions.merchantName,
  merchantId: cardTransactions.merchantId,
  merchantCategory: cardTransactions.merchantCategory,
  description: cardTransactions.description,
  status: cardTransactions.status,
  declineReason: cardTransactions.declineReason,
  createdAt: cardTransactions.createdAt,
  settledAt: cardTransactions.settledAt,
};

interface TransactionFilter extends Omit<z.output<typeof ListCardTransactions>, "limit"> {
  /** Only of the cards that are assigned to this person; undefined for all. */
  assignedToId: string | undefined;
}

/** The transactions that match, newest first. */
export async function listTransactionRows(db: Executor, filter: TransactionFilter, rows: number) {
  const { organizationId, cardId, assignedToId } = filter;
  if (cardId !== undefined) return ordered(db, filter, eq(cardTransactions.cardId, cardId), rows);
  if (assignedToId === undefined) return ordered(db, filter, undefined, rows);
  // Each card's newest by its own index, then the newest of all: no index has those of several cards in order.
  const ofEach = ordered(db, filter, eq(cardTransactions.cardId, cards.id), rows).as("listed");
  return db
    .select({ ...ofEach._.selectedFields })
    .from(cards)
    .crossJoinLateral(ofEach)
    .where(and(eq(cards.organizationId, organizationId), eq(cards.assignedToId, assignedToId)))
    .orderBy(desc(ofEach.id))
    .limit(rows);
}

function ordered(db: Executor, filter: TransactionFilter, ofCard: SQL | undefined, rows: number) {
  const { id, amount, status, merchantCategory } = cardTransactions;
  const { from, to, minAmount, maxAmount, after } = filter;
  return db
    .select(columns)
    .from(cardTransactions)
    .where(
      and(
        eq(cardTransactions.organizationId, filter.organizationId),
        ofCard,
        filter.status && eq(status, filter.status),
        filter.merchantCategory === undefined ? undefined : eq(merchantCategory, filter.merchantCategory),
        // An identifier begins with the instant of creation, so the index that gives the order gives the range, too.
        from && gte(id, firstIdAt("ctx", from)),
        to && lt(id, firstIdAt("ctx", new Date(to.getTime() + 1))),
        minAmount === undefined ? undefined : gte(amount, minAmount),
        maxAmount === undefined ? undefined : lte(amount, maxAmount),
        after === undefined ? undefined : lt(id, after),
      ),
    )
    .orderBy(desc(id))
    .limit(rows);
}

/** Several transactions, newest first. */
export function listTransactionsById(db: Executor, organizationId: string, ids: readonly string[]) {
  return db
    .select(columns)
    .from(cardTransactions)
    .where(and(eq(cardTransactions.organizationId, organizationId), inArray(cardTransactions.id, [...ids])))
    .orderBy(desc(cardTransactions.id));
}

/** Whose card a transaction was made with, and what its authorization was decided on: null where there was none. */
export async function findDecision(db: Executor, organizationId: string, id: string) {
  const [found] = await db
    .select({
      assignedToId: cards.assignedToId,
      createdAt: cardTransactions.createdAt,
      decision: cardEvents.decision,
    })
    .from(cardTransactions)
    .innerJoin(
      cards,
      and(eq(cards.organizationId, cardTransactions.organizationId), eq(cards.id, cardTransactions.cardId)),
    )
    .leftJoin(
      cardEvents,
      and(
        eq(cardEvents.organizationId, cardTransactions.organizationId),
        eq(cardEvents.transactionId, cardTransactions.id),
        eq(cardEvents.kind, "AUTHORIZATION"),
      ),
    )
    .where(and(eq(cardTransactions.organizationId, organizationId), eq(cardTransactions.id, id)));
  return found;
}

/** Counts the open holds, and those that the sweep should have released ten minutes ago. */
export function countHolds(db: Executor): Promise<{ state: string; value: number }[]> {
  return db.execute(sql`
    SELECT CASE WHEN expires_at < now() - interval '10 minutes' THEN 'overdue' ELSE 'open' END AS state,
      count(*)::int AS value
    FROM ${cardTransactions} WHERE status = 'PENDING' GROUP BY 1`);
}
