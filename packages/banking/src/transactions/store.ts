import { type Executor, bankTransactions } from "@purser/db";
import { type SQL, and, desc, eq, gte, lte, sql } from "drizzle-orm";
import type { TransactionType } from "../ports.ts";

const columns = {
  id: bankTransactions.id,
  accountId: bankTransactions.accountId,
  amount: bankTransactions.amount,
  currency: bankTransactions.currency,
  description: bankTransactions.description,
  transactionDate: bankTransactions.transactionDate,
  type: bankTransactions.type,
  category: bankTransactions.category,
};

export interface TransactionFilter {
  organizationId: string;
  /** Only these accounts; undefined for all accounts of the organization. */
  accountIds: readonly string[] | undefined;
  firstDay: string | undefined;
  lastDay: string | undefined;
  type: TransactionType | undefined;
  category: string | undefined;
  /** The last item of the previous page. */
  after: { id: string; transactionDate: string } | undefined;
}

// A literal, not a parameter: a generic plan could not use the partial indexes.
const isListed = sql`${bankTransactions.status} = 'POSTED'`;

/** Lists the posted transactions that match, newest first. Every filter has an index in this order. */
export async function listTransactionRows(db: Executor, filter: TransactionFilter, rows: number) {
  const { accountIds } = filter;
  if (accountIds === undefined) return ordered(db, filter, undefined, rows);
  const [only, ...others] = accountIds;
  if (only === undefined) return [];
  if (others.length === 0) return ordered(db, filter, eq(bankTransactions.accountId, only), rows);
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

function ordered(
  db: Executor,
  { organizationId, firstDay, lastDay, type, category, after }: TransactionFilter,
  ofAccount: SQL | undefined,
  rows: number,
) {
  const { transactionDate, id } = bankTransactions;
  return db
    .select(columns)
    .from(bankTransactions)
    .where(
      and(
        eq(bankTransactions.organizationId, organizationId),
        isListed,
        ofAccount,
        firstDay === undefined ? undefined : gte(transactionDate, firstDay),
        lastDay === undefined ? undefined : lte(transactionDate, lastDay),
        type === undefined ? undefined : eq(bankTransactions.type, type),
        category === undefined ? undefined : eq(bankTransactions.category, category),
        after && sql`(${transactionDate}, ${id}) < (${after.transactionDate}::date, ${after.id})`,
      ),
    )
    .orderBy(desc(transactionDate), desc(id))
    .limit(rows);
}

/** Finds the position of a transaction in lists, even if it is no longer listed. */
export async function findListPosition(db: Executor, organizationId: string, id: string) {
  const [position] = await db
    .select({ id: bankTransactions.id, transactionDate: bankTransactions.transactionDate })
    .from(bankTransactions)
    .where(and(eq(bankTransactions.organizationId, organizationId), eq(bankTransactions.id, id)));
  return position;
}
