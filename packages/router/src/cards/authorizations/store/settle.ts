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
import { alias } from "drizzle-orm/pg-core";
import type { Windows } from "../rules/windows.ts";
import { type CardReference, type EventRow, type TransactionRow, insertFor, startsOf } from "./decide.ts";

interface Key {
  organizationId: string;
  id: string;
}

const theTransaction = ({ organizationId, id }: Key) =>
  and(eq(cardTransactions.organizationId, organizationId), eq(cardTransactions.id, id));

/** Locks a card by the issuer's id of it: of all that happens to a card there is one order. */
export async function lockReferencedCard(transaction: Transaction, { issuer, reference }: CardReference) {
  const [card] = await transaction
    .select({ organizationId: cards.organizationId, id: cards.id, currency: cards.currency })
    .from(cards)
    .where(and(eq(cards.issuer, issuer), eq(cards.issuerReference, reference)))
    .for("no key update");
  return card;
}

/** The time zone of an organization. It changes under the locks of its cards, so read it after one of them is held. */
export async function readTimeZone(transaction: Transaction, organizationId: string): Promise<string> {
  const [found] = await transaction
    .select({ timeZone: organizations.timeZone })
    .from(organizations)
    .where(eq(organizations.id, organizationId));
  return found!.timeZone;
}

/** The transaction of an authorization, as the network names it. */
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

/** What the withdrawal of a message's approval is called, where there is one. */
export const withdrawalOf = (networkId: string) => `${networkId}:late`;

/** The event that a network message has become, with the transaction that it belongs to. */
export interface Told {
  event: EventRow;
  transaction: TransactionRow;
  /** Whether it was an approval that came too late and was taken back. */
  withdrawn: boolean;
}

export async function findByMessage(
  db: Executor,
  { organizationId, id: cardId }: Key,
  networkId: string,
): Promise<Told | undefined> {
  const withdrawals = alias(cardEvents, "withdrawals");
  const named = (events: typeof cardEvents | typeof withdrawals, name: string) =>
    and(eq(events.organizationId, organizationId), eq(events.cardId, cardId), eq(events.networkId, name));
  const [found] = await db
    .select({ event: cardEvents, transaction: cardTransactions, withdrawal: withdrawals.id })
    .from(cardEvents)
    .innerJoin(
      cardTransactions,
      and(
        eq(cardTransactions.organizationId, cardEvents.organizationId),
        eq(cardTransactions.id, cardEvents.transactionId),
      ),
    )
    .leftJoin(withdrawals, named(withdrawals, withdrawalOf(networkId)))
    .where(named(cardEvents, networkId));
  if (found === undefined) return undefined;
  const { event, transaction, withdrawal } = found;
  return { event, transaction, withdrawn: withdrawal !== null };
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

/** Adds to what counts in the windows of a purchase; a negative amount gives back. */
export async function count(
  transaction: Transaction,
  { organizationId, id: cardId }: Key,
  windows: Windows,
  amount: number,
): Promise<void> {
  if (amount === 0) return;
  const rows = Object.entries(startsOf(windows)).map(([period, startsOn]) => ({
    organizationId,
    cardId,
    startsOn,
    period: period as "DAY" | "WEEK" | "MONTH",
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

/** What counts in the windows of a purchase now. */
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

/** Holds whose time is over, the oldest first, as the network names them. */
export function listExpired(db: Executor, now: Date, rows: number) {
  return db
    .select({
      id: cardTransactions.id,
      authorization: cardTransactions.authorizationReference,
      expiresAt: cardTransactions.expiresAt,
      issuer: cards.issuer,
      card: cards.issuerReference,
    })
    .from(cardTransactions)
    .innerJoin(
      cards,
      and(eq(cards.organizationId, cardTransactions.organizationId), eq(cards.id, cardTransactions.cardId)),
    )
    .where(and(eq(cardTransactions.status, "PENDING"), lte(cardTransactions.expiresAt, now)))
    .orderBy(asc(cardTransactions.expiresAt))
    .limit(rows);
}
