import {
  type Executor,
  type Transaction,
  cardCounters,
  cardEvents,
  cardTransactions,
  cards,
  organizations,
} from "@purser/db";
import { and, asc, eq, lte, sql } from "drizzle-orm";
import type { Windows } from "../rules/windows.ts";
import { type Cap, type EventRow, type TransactionRow, insertFor, windowStarts } from "./decide.ts";
import type { CardReference } from "./decision-context.ts";

interface Key {
  organizationId: string;
  id: string;
}

const theTransaction = ({ organizationId, id }: Key) =>
  and(eq(cardTransactions.organizationId, organizationId), eq(cardTransactions.id, id));

/** Locks a card by its issuer's id. Every change to a card takes this lock first, so they are ordered. */
export async function lockReferencedCard(transaction: Transaction, { issuer, reference }: CardReference) {
  const [card] = await transaction
    .select({ organizationId: cards.organizationId, id: cards.id, currency: cards.currency })
    .from(cards)
    .where(and(eq(cards.issuer, issuer), eq(cards.issuerReference, reference)))
    .for("no key update");
  return card;
}

/**
 * The time zone of an organization. It changes only under the locks of all its cards, so read it with a card locked.
 * The area organizations owns this table; reading it here keeps the time zone under the card's lock.
 */
export async function readTimeZone(transaction: Transaction, organizationId: string): Promise<string> {
  const [found] = await transaction
    .select({ timeZone: organizations.timeZone })
    .from(organizations)
    .where(eq(organizations.id, organizationId));
  return found!.timeZone;
}

/** The transaction of an authorization, by the network's id of it. */
export async function findAuthorized(
  db: Executor,
  { organizationId, id: cardId }: Key,
  reference: string,
): Promise<TransactionRow | undefined> {
  const [row] = await db
    .select()
    .from(cardTransactions)
    .where(
      and(
        eq(cardTransactions.organizationId, organizationId),
        eq(cardTransactions.cardId, cardId),
        eq(cardTransactions.authorizationReference, reference),
      ),
    );
  return row;
}

export async function insertTransactionRow(transaction: Transaction, row: TransactionRow): Promise<void> {
  await transaction.execute(insertFor(sql`(SELECT 1) AS once`, cardTransactions, row));
}

export async function insertEventRow(transaction: Transaction, event: EventRow): Promise<void> {
  await transaction.execute(insertFor(sql`(SELECT 1) AS once`, cardEvents, event));
}

export async function updateTransactionRow(
  transaction: Transaction,
  key: Key,
  change: Partial<TransactionRow>,
): Promise<void> {
  await transaction.update(cardTransactions).set(change).where(theTransaction(key));
}

/** Adds an amount to the counters of these windows. A negative amount gives back. */
export async function addToCounters(
  transaction: Transaction,
  { organizationId, id: cardId }: Key,
  windows: Windows,
  amount: number,
): Promise<void> {
  if (amount === 0) return;
  const rows = Object.entries(windowStarts(windows)).map(([period, startsOn]) => ({
    organizationId,
    cardId,
    startsOn,
    period: period as Cap["period"],
    used: Math.max(0, amount),
  }));
  await transaction
    .insert(cardCounters)
    .values(rows)
    .onConflictDoUpdate({
      target: [cardCounters.organizationId, cardCounters.cardId, cardCounters.period, cardCounters.startsOn],
      set: { used: sql`${cardCounters.used} + ${amount}` },
    });
}

/** The counters of these windows. */
export async function readCounters(db: Executor, { organizationId, id: cardId }: Key, windows: Windows) {
  const rows = await db
    .select({ period: cardCounters.period, startsOn: cardCounters.startsOn, used: cardCounters.used })
    .from(cardCounters)
    .where(
      and(
        eq(cardCounters.organizationId, organizationId),
        eq(cardCounters.cardId, cardId),
        sql`(${cardCounters.period}, ${cardCounters.startsOn}) IN
          (('DAY', ${windows.day}::date), ('WEEK', ${windows.week}::date), ('MONTH', ${windows.month}::date))`,
      ),
    );
  return Object.fromEntries(rows.map(({ period, startsOn, used }) => [`${period} ${startsOn}`, used]));
}

/** A page of expired holds, the oldest first. */
export function listExpired(
  db: Executor,
  now: Date,
  { after, rows }: { after: { id: string; expiresAt: Date | null } | undefined; rows: number },
) {
  const { id, expiresAt } = cardTransactions;
  return db
    .select({
      id,
      authorization: cardTransactions.authorizationReference,
      expiresAt,
      issuer: cards.issuer,
      card: cards.issuerReference,
    })
    .from(cardTransactions)
    .innerJoin(
      cards,
      and(eq(cards.organizationId, cardTransactions.organizationId), eq(cards.id, cardTransactions.cardId)),
    )
    .where(
      and(
        eq(cardTransactions.status, "PENDING"),
        lte(expiresAt, now),
        after && sql`(${expiresAt}, ${id}) > (${after.expiresAt!.toISOString()}::timestamptz, ${after.id})`,
      ),
    )
    .orderBy(asc(expiresAt), asc(id))
    .limit(rows);
}
