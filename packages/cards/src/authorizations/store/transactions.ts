import {
  type Executor,
  type TenantKey,
  type Transaction,
  cardCounters,
  cardLedgerEntries,
  cardTransactions,
  cards,
  hasKey,
  refersTo,
  searchAllOrganizations,
} from "@purser/db";
import { insertingInto } from "@purser/platform";
import { type NewEventRow, insertingEvents } from "@purser/platform/events";
import { and, asc, eq, gt, inArray, lte, sql } from "drizzle-orm";
import type { CappedCounter } from "../rules/capped-counter.ts";
import type { Windows } from "../rules/windows.ts";
import { windowStarts } from "./decision-rows.ts";
import type { LedgerEntry, TransactionRow } from "./purchase-rows.ts";

/** The transaction of an authorization, by the network's id of it. */
export async function findAuthorized(
  db: Executor,
  { organizationId, id: cardId }: TenantKey,
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

export async function findPurchaseRow(db: Executor, key: TenantKey): Promise<TransactionRow | undefined> {
  const [row] = await db.select().from(cardTransactions).where(hasKey(cardTransactions, key));
  return row;
}

/** How many names of former transactions are looked up at once. */
const namesAtOnce = 20;

/** The names that former transactions of an authorization have. Listed, because the index finds names and no prefixes. */
const retiredNames = (reference: string, first: number) =>
  Array.from({ length: namesAtOnce }, (_, index) => `${reference}:${first + index}`);

/** Takes the authorization's name from a transaction that was cleared or has ended without money, so that another one can have it. */
export async function retireReference(transaction: Transaction, row: TransactionRow): Promise<void> {
  const authorizationReference = await nextRetiredName(transaction, row);
  await updateTransactionRow(transaction, row, { authorizationReference });
}

/** The next name for a former transaction of the authorization that a transaction has. */
export async function nextRetiredName(
  transaction: Transaction,
  row: Pick<TransactionRow, "organizationId" | "cardId" | "authorizationReference">,
): Promise<string> {
  for (let first = 0; ; first += namesAtOnce) {
    const names = retiredNames(row.authorizationReference!, first);
    const name = names[await transaction.$count(cardTransactions, ofCardNamed(row, names))];
    if (name !== undefined) return name;
  }
}

/** All transactions that have or had the id of an authorization, the newest first. */
export async function listOfAuthorization(
  db: Executor,
  { organizationId, id: cardId }: TenantKey,
  reference: string,
): Promise<TransactionRow[]> {
  const found: TransactionRow[] = [];
  for (let first = 0; ; first += namesAtOnce) {
    const names = retiredNames(reference, first);
    const rows = await db
      .select()
      .from(cardTransactions)
      .where(ofCardNamed({ organizationId, cardId }, first === 0 ? [reference, ...names] : names));
    found.push(...rows);
    // Names are given in order.
    if (!rows.some((row) => row.authorizationReference === names.at(-1))) break;
  }
  return found.toSorted((one, other) => (one.id < other.id ? 1 : -1));
}

/** The total that was approved under an authorization and not withdrawn, in all transactions that have or had its id. */
export async function readAuthorizedTotal(db: Executor, card: TenantKey, reference: string): Promise<number> {
  const rows = await listOfAuthorization(db, card, reference);
  return rows.reduce((sum, { authorized }) => sum + authorized, 0);
}

/** The total that a transaction's requests were approved for after an instant. */
export async function sumApprovedAfter(
  db: Executor,
  { organizationId, cardId, id }: TransactionRow,
  instant: Date,
): Promise<number> {
  const [found] = await db
    .select({ total: sql`coalesce(sum(${cardLedgerEntries.counted}), 0)`.mapWith(Number) })
    .from(cardLedgerEntries)
    .where(
      and(
        eq(cardLedgerEntries.organizationId, organizationId),
        eq(cardLedgerEntries.cardId, cardId),
        eq(cardLedgerEntries.transactionId, id),
        inArray(cardLedgerEntries.kind, ["AUTHORIZATION", "INCREMENT"]),
        gt(cardLedgerEntries.createdAt, instant),
      ),
    );
  return found!.total;
}

const ofCardNamed = (
  { organizationId, cardId }: { organizationId: string; cardId: string },
  references: string[],
) =>
  and(
    eq(cardTransactions.organizationId, organizationId),
    eq(cardTransactions.cardId, cardId),
    inArray(cardTransactions.authorizationReference, references),
  );

export async function insertTransactionRow(transaction: Transaction, row: TransactionRow): Promise<void> {
  await transaction.execute(insertingTransaction([row]));
}

const insertingTransaction = insertingInto(cardTransactions);

/**
 * Adds an entry to the ledger of a purchase, what the entry counts to the counters of the purchase's windows, and its events to
 * the organization's feed. The caller holds the card's lock.
 */
export async function insertLedgerEntry(
  transaction: Transaction,
  entry: LedgerEntry,
  windows: Windows,
  feedEvents: readonly NewEventRow[],
): Promise<void> {
  await addToCounters(transaction, entry, windows);
  const recorded = insertingLedgerEntry([entry]);
  await transaction.execute(sql`WITH event AS (${insertingEvents(feedEvents)}) ${recorded}`);
}

const insertingLedgerEntry = insertingInto(cardLedgerEntries);

export async function updateTransactionRow(
  transaction: Transaction,
  key: TenantKey,
  change: Partial<TransactionRow>,
): Promise<void> {
  // Effects carry whole rows.
  const { organizationId: _organization, id: _id, ...fields } = change;
  await transaction.update(cardTransactions).set(fields).where(hasKey(cardTransactions, key));
}

/**
 * Adds what an entry counts to the counters of these windows. A negative amount gives back. The new version of the counters
 * keeps decisions under several limits from being stored that were made on the former ones.
 */
async function addToCounters(
  transaction: Transaction,
  { organizationId, cardId, counted }: LedgerEntry,
  windows: Windows,
): Promise<void> {
  if (counted === 0) return;
  await transaction
    .update(cards)
    .set({ countersVersion: sql`${cards.countersVersion} + 1` })
    .where(hasKey(cards, { organizationId, id: cardId }));
  const rows = Object.entries(windowStarts(windows)).map(([period, startsOn]) => ({
    organizationId,
    cardId,
    startsOn,
    period: period as CappedCounter["period"],
    used: Math.max(0, counted),
  }));
  await transaction
    .insert(cardCounters)
    .values(rows)
    .onConflictDoUpdate({
      target: [cardCounters.organizationId, cardCounters.cardId, cardCounters.period, cardCounters.startsOn],
      set: { used: sql`${cardCounters.used} + ${counted}` },
    });
}

/** A page of expired holds, the oldest first. */
export function listExpired(
  db: Executor,
  now: Date,
  { after, rows }: { after: { id: string; expiresAt: Date | null } | undefined; rows: number },
) {
  const { organizationId, id, expiresAt } = cardTransactions;
  const search = (all: Executor) =>
    all
      .select({
        organizationId,
        id,
        expiresAt,
        issuer: cards.issuer,
        card: cards.issuerReference,
      })
      .from(cardTransactions)
      .innerJoin(cards, refersTo(cardTransactions, "cardId", cards))
      .where(
        and(
          eq(cardTransactions.status, "PENDING"),
          lte(expiresAt, now),
          after && sql`(${expiresAt}, ${id}) > (${after.expiresAt!.toISOString()}::timestamptz, ${after.id})`,
        ),
      )
      .orderBy(asc(expiresAt), asc(id))
      .limit(rows);
  return searchAllOrganizations(db, search, {
    by: (row) => `${row.expiresAt!.toISOString()} ${row.id}`,
    limit: rows,
  });
}

/** A hold that had expired when it was listed. */
export type ExpiredHold = Awaited<ReturnType<typeof listExpired>>[number];
