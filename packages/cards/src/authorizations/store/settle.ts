import {
  type Executor,
  type Transaction,
  cardCounters,
  cardEvents,
  cardTransactions,
  cards,
  organizations,
} from "@purser/db";
import { and, asc, eq, inArray, lte, sql } from "drizzle-orm";
import type { Windows } from "../rules/windows.ts";
import type { CardReference } from "./decision-context.ts";
import { type EventRow, type TransactionRow, insertFor, windowStarts } from "./decide.ts";

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

/**
 * The time zone of an organization. It changes under the locks of its cards, so read it after one of them is held.
 * An exception to the rule that only organizations reads its tables: it belongs to the query of a decision.
 */
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

/** What the network's own decision on a message is called, where it has decided by itself. */
export const adviceOf = (networkId: string) => `${networkId}:advice`;

/** The event that a network message has become, with the transaction that it belongs to. */
export interface StoredMessage {
  event: EventRow;
  transaction: TransactionRow;
  /** Whether it was an approval that was taken back. */
  withdrawn: boolean;
  /** Whether the network has decided by itself. Then this is what is told here, whatever we had decided. */
  advised: boolean;
}

export async function findByMessage(
  db: Executor,
  { organizationId, id: cardId }: Key,
  networkId: string,
): Promise<StoredMessage | undefined> {
  const names = [adviceOf(networkId), networkId, withdrawalOf(networkId)];
  const found = await db
    .select({ event: cardEvents, transaction: cardTransactions })
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
        inArray(cardEvents.networkId, names),
      ),
    );
  const [advice, message, withdrawal] = names.map((name) =>
    found.find(({ event }) => event.networkId === name),
  );
  const last = advice ?? message;
  if (last === undefined) return undefined;
  return { ...last, advised: advice !== undefined, withdrawn: !advice && withdrawal !== undefined };
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
  const rows = Object.entries(windowStarts(windows)).map(([period, startsOn]) => ({
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

/** Holds whose time is over, the oldest first, as the network names them: those that come after one of them. */
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
