import { addMs, csvColumns, csvEndOfLine, firstIdAt } from "@purser/core";
import {
  type CsvPage,
  type Database,
  type Executor,
  cardLedgerEntries,
  cardTransactions,
  cards,
  csvCells,
  csvLine,
  csvPage,
  hasKey,
  readCsvPage,
  refersTo,
} from "@purser/db";
import { type SQL, and, asc, desc, eq, gte, inArray, isNull, lt, lte, or, sql } from "drizzle-orm";
import { QueryBuilder, unionAll } from "drizzle-orm/pg-core";
import type { z } from "zod";
import { CardTransaction, type ListCardTransactions } from "./contract.ts";

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
  /** Only the transactions that this cardholder sees; undefined for all. */
  holderId: string | undefined;
}

/** The matching transactions, newest first. */
export async function listCardTransactionRows(db: Executor, filter: TransactionFilter, rows: number) {
  return filter.holderId === undefined
    ? orderedOfAll(db, filter, rows)
    : orderedOfHolder(db, filter, filter.holderId, rows);
}

/** The columns of every page of CSV, for {@link line}. */
const pageRow = new QueryBuilder().select(columns).from(cardTransactions).as("page");
const line = csvLine(csvColumns(CardTransaction), {
  id: csvCells.word(pageRow.id),
  cardId: csvCells.word(pageRow.cardId),
  amount: csvCells.integer(pageRow.amount),
  amountDecimal: csvCells.amount(pageRow.amount, pageRow.currency),
  currency: csvCells.text(pageRow.currency),
  merchantName: csvCells.text(pageRow.merchantName),
  merchantId: csvCells.text(pageRow.merchantId),
  merchantCategory: csvCells.text(pageRow.merchantCategory),
  description: csvCells.text(pageRow.description),
  status: csvCells.word(pageRow.status),
  declineReason: csvCells.text(pageRow.declineReason),
  createdAt: csvCells.instant(pageRow.createdAt),
  settledAt: csvCells.instant(pageRow.settledAt),
});

/** The same transactions as lines of CSV. */
export function listCardTransactionLines(
  db: Database,
  filter: TransactionFilter,
  rows: number,
  signal: AbortSignal | undefined,
): Promise<CsvPage> {
  const ofAll = orderedOfAll(db, filter, rows).as("page");
  // Both have the same columns.
  const page =
    filter.holderId === undefined
      ? ofAll
      : (orderedOfHolder(db, filter, filter.holderId, rows).as("page") as unknown as typeof ofAll);
  const order = sql`${pageRow.id} DESC`;
  const fields = csvPage({ line, end: csvEndOfLine, id: pageRow.id, order, rows });
  return readCsvPage(db, db.select(fields).from(page), signal);
}

const ofCardIn = ({ cardId }: TransactionFilter): SQL | undefined =>
  cardId === undefined ? undefined : eq(cardTransactions.cardId, cardId);

const orderedOfAll = (db: Executor, filter: TransactionFilter, rows: number) =>
  ordered(db, filter, ofCardIn(filter), rows);

function orderedOfHolder(db: Executor, filter: TransactionFilter, holderId: string, rows: number) {
  const { organizationId, cardId } = filter;
  const ofHolder = and(eq(cards.organizationId, organizationId), eq(cards.assignedToId, holderId));
  // Read the newest of each card by its index, then merge: no index orders the transactions of several cards.
  const ofEach = ordered(
    db,
    filter,
    and(eq(cardTransactions.cardId, cards.id), isNull(cardTransactions.holderId)),
    rows,
  ).as("of_each");
  const asFirstHolder = db
    .select({ ...ofEach._.selectedFields })
    .from(cards)
    .crossJoinLateral(ofEach)
    .where(
      and(
        ofHolder,
        cardId === undefined ? undefined : eq(cards.id, cardId),
        or(isNull(cards.firstHolderId), eq(cards.firstHolderId, holderId)),
      ),
    );
  // A card that has passed on is not theirs any more.
  const held = db.select({ id: cards.id }).from(cards).where(ofHolder);
  const asLaterHolder = ordered(
    db,
    filter,
    and(ofCardIn(filter), eq(cardTransactions.holderId, holderId), inArray(cardTransactions.cardId, held)),
    rows,
  );
  const listed = unionAll(asFirstHolder, asLaterHolder).as("listed");
  return db.select().from(listed).orderBy(desc(listed.id)).limit(rows);
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
        // An id starts with the instant of creation, so the index that orders the list also serves this range.
        from && gte(id, firstIdAt("ctx", from)),
        to && lt(id, firstIdAt("ctx", addMs(to, 1))),
        minAmount === undefined ? undefined : gte(amount, minAmount),
        maxAmount === undefined ? undefined : lte(amount, maxAmount),
        after === undefined ? undefined : lt(id, after),
      ),
    )
    .orderBy(desc(id))
    .limit(rows);
}

/** Transactions by id, newest first. */
export function listTransactionsById(db: Executor, organizationId: string, ids: readonly string[]) {
  return db
    .select(columns)
    .from(cardTransactions)
    .where(and(eq(cardTransactions.organizationId, organizationId), inArray(cardTransactions.id, [...ids])))
    .orderBy(desc(cardTransactions.id));
}

/** The member who sees a transaction: the card's holder, if they held it at the time. Null if only owners see it. */
export const transactionHolder = sql<string | null>`CASE WHEN ${cards.assignedToId} =
  coalesce(${cardTransactions.holderId}, ${cards.firstHolderId}, ${cards.assignedToId})
  THEN ${cards.assignedToId} END`;

/** A transaction, the member who sees it, and what only an explanation shows. */
export async function findCardTransaction(db: Executor, organizationId: string, id: string) {
  const [found] = await db
    .select({
      ...columns,
      assignedToId: transactionHolder,
      channel: cardTransactions.channel,
      merchantCountry: cardTransactions.merchantCountry,
    })
    .from(cardTransactions)
    .innerJoin(cards, refersTo(cardTransactions, "cardId", cards))
    .where(hasKey(cardTransactions, { organizationId, id }));
  return found;
}

/** The ledger entries of a transaction, oldest first. */
export function listLedgerEntries(db: Executor, organizationId: string, transactionId: string) {
  return db
    .select({
      kind: cardLedgerEntries.kind,
      networkId: cardLedgerEntries.networkId,
      amount: cardLedgerEntries.amount,
      counted: cardLedgerEntries.counted,
      decision: cardLedgerEntries.decision,
      createdAt: cardLedgerEntries.createdAt,
    })
    .from(cardLedgerEntries)
    .where(
      and(
        eq(cardLedgerEntries.organizationId, organizationId),
        eq(cardLedgerEntries.transactionId, transactionId),
      ),
    )
    .orderBy(asc(cardLedgerEntries.id));
}

/** Counts open holds, and holds that the sweep should have released at least ten minutes ago. */
export function countHolds(db: Executor): Promise<{ state: string; value: number }[]> {
  return db.execute(sql`
    SELECT CASE WHEN expires_at < now() - interval '10 minutes' THEN 'overdue' ELSE 'open' END AS state,
      count(*)::int AS value
    FROM ${cardTransactions} WHERE status = 'PENDING' GROUP BY 1`);
}
