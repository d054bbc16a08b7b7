import { type Executor, bankTransactions, hasKey, shownCategory } from "@purser/db";
import { type Column, type SQL, and, desc, eq, gte, inArray, lte, sql } from "drizzle-orm";
import type { TransactionStatus, TransactionType } from "../../ports.ts";

export const listedColumns = {
  id: bankTransactions.id,
  accountId: bankTransactions.accountId,
  status: bankTransactions.status,
  amount: bankTransactions.amount,
  currency: bankTransactions.currency,
  description: bankTransactions.description,
  merchantName: bankTransactions.merchantName,
  transactionDate: bankTransactions.transactionDate,
  type: bankTransactions.type,
  category: shownCategory(bankTransactions).as("shown_category"),
  note: bankTransactions.note,
};

export interface TransactionFilter {
  organizationId: string;
  status: TransactionStatus;
  /** Only these accounts; undefined for all accounts of the organization. */
  accountIds: readonly string[] | undefined;
  firstDay: string | undefined;
  lastDay: string | undefined;
  type: TransactionType | undefined;
  category: string | undefined;
  /** The last item of the previous page. */
  after: ListPosition | undefined;
}

/** The place of a row in lists. */
export interface ListPosition {
  id: string;
  transactionDate: string;
}

export type ListedRow = Awaited<ReturnType<typeof ordered>>[number];

/** Lists the transactions that match, newest first. Every filter of posted ones has an index in this order. */
export async function listTransactionRows(
  db: Executor,
  filter: TransactionFilter,
  rows: number,
): Promise<ListedRow[]> {
  const { accountIds } = filter;
  if (accountIds?.length === 0) return [];
  return hasSeveral(accountIds)
    ? orderedOfEach(db, filter, accountIds, rows)
    : ordered(db, filter, isOfAccounts(filter), rows);
}

export type ListedPage = ReturnType<typeof listedPage>;

/** The same as a subquery. The filter must not have an empty list of accounts. */
export function listedPage(db: Executor, filter: TransactionFilter, rows: number) {
  const { accountIds } = filter;
  const page = ordered(db, filter, isOfAccounts(filter), rows).as("page");
  // Both have the same columns.
  return hasSeveral(accountIds)
    ? (orderedOfEach(db, filter, accountIds, rows).as("page") as unknown as typeof page)
    : page;
}

export const hasSeveral = (accountIds: readonly string[] | undefined): accountIds is readonly string[] =>
  accountIds !== undefined && accountIds.length > 1;

function orderedOfEach(db: Executor, filter: TransactionFilter, accountIds: readonly string[], rows: number) {
  // The newest of each account by its index, then the newest of all: no index orders several accounts by day.
  const accounts = sql`unnest(${sql.param(accountIds)}::text[]) AS account(id)`;
  const ofEach = ordered(db, filter, sql`${bankTransactions.accountId} = account.id`, rows).as("listed");
  const { id, transactionDate } = ofEach;
  return db
    .select({ ...ofEach._.selectedFields })
    .from(accounts as never)
    .crossJoinLateral(ofEach)
    .orderBy(desc(transactionDate), desc(id))
    .limit(rows);
}

function ordered(db: Executor, filter: TransactionFilter, ofAccount: SQL | undefined, rows: number) {
  const { transactionDate, id } = bankTransactions;
  return db
    .select(listedColumns)
    .from(bankTransactions)
    .where(and(isListed(filter), ofAccount, fitsFilter(filter)))
    .orderBy(desc(transactionDate), desc(id))
    .limit(rows);
}

// Literals, not parameters: a generic plan could not use the partial indexes.
const hasStatus = {
  POSTED: sql`${bankTransactions.status} = 'POSTED'`,
  PENDING: sql`${bankTransactions.status} = 'PENDING'`,
};

export const isListed = ({ organizationId, status }: TransactionFilter): SQL =>
  and(eq(bankTransactions.organizationId, organizationId), hasStatus[status])!;

/** Whether a row is of the accounts that the filter selects. */
export function isOfAccounts(
  { accountIds }: TransactionFilter,
  accountId: Column = bankTransactions.accountId,
): SQL | undefined {
  if (accountIds === undefined) return undefined;
  const [only, ...others] = accountIds;
  return only !== undefined && others.length === 0
    ? eq(accountId, only)
    : inArray(accountId, [...accountIds]);
}

/** The columns of a row that filters look at. */
export interface FilteredColumns extends Record<"id" | "transactionDate" | "type", Column> {
  /** The category that lists show. */
  category: SQL | SQL.Aliased;
}

const filteredColumns: FilteredColumns = {
  id: bankTransactions.id,
  transactionDate: bankTransactions.transactionDate,
  type: bankTransactions.type,
  category: shownCategory(bankTransactions),
};

/** Whether a row fits, except for its organization, status and account. */
export function fitsFilter(
  filter: TransactionFilter,
  row: FilteredColumns = filteredColumns,
): SQL | undefined {
  const { firstDay, lastDay, type, category, after } = filter;
  const { transactionDate, id } = row;
  return and(
    firstDay === undefined ? undefined : gte(transactionDate, firstDay),
    lastDay === undefined ? undefined : lte(transactionDate, lastDay),
    type === undefined ? undefined : eq(row.type, type),
    category === undefined ? undefined : sql`${row.category} = ${category}`,
    after && sql`(${transactionDate}, ${id}) < (${after.transactionDate}::date, ${after.id})`,
  );
}

/** Finds the position of a transaction in lists, even if it is no longer listed. */
export async function findListPosition(
  db: Executor,
  organizationId: string,
  id: string,
): Promise<ListPosition | undefined> {
  const [position] = await db
    .select({ id: bankTransactions.id, transactionDate: bankTransactions.transactionDate })
    .from(bankTransactions)
    .where(hasKey(bankTransactions, { organizationId, id }));
  return position;
}

/** Posted or pending. */
export const isPresentRow = sql`${bankTransactions.status} IN ('POSTED', 'PENDING')`;

/** Finds a posted or pending transaction. */
export async function findTransactionRow(
  db: Executor,
  organizationId: string,
  id: string,
): Promise<ListedRow | undefined> {
  const [row] = await db
    .select(listedColumns)
    .from(bankTransactions)
    .where(and(hasKey(bankTransactions, { organizationId, id }), isPresentRow));
  return row;
}
