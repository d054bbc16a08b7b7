import { type Executor, bankTransactions } from "@purser/db";
import { type SQL, and, desc, eq, gte, lte, sql } from "drizzle-orm";

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
  /** Only of these accounts; undefined for all of the organization's. */
  accountIds: readonly string[] | undefined;
  firstDay: string | undefined;
  lastDay: string | undefined;
  type: "CREDIT" | "DEBIT" | undefined;
  category: string | undefined;
  /** The last item that was received already. */
  after: { id: string; transactionDate: string } | undefined;
}

// Written out, not as a parameter: a plan that holds for every status could not use the indexes of one.
const isListed = sql`${bankTransactions.status} = 'POSTED'`;

/** The listed transactions that match, newest first. Every filter has an index in this order. */
export async function listTransactionRows(db: Executor, filter: TransactionFilter, rows: number) {
  const { accountIds } = filter;
  if (accountIds === undefined) return ordered(db, filter, undefined, rows);
  const [only, ...others] = accountIds;
  if (only === undefined) return [];
  if (others.length === 0) return ordered(db, filter, eq(bankTransactions.accountId, only), rows);
  // Each account's newest by its own index, then the newest of all: an index over several accounts has another order.
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

/** Where a list goes on: the place of a transaction in it, also of one that is not listed any more. */
export async function findPlace(db: Executor, organizationId: string, id: string) {
  const [place] = await db
    .select({ id: bankTransactions.id, transactionDate: bankTransactions.transactionDate })
    .from(bankTransactions)
    .where(and(eq(bankTransactions.organizationId, organizationId), eq(bankTransactions.id, id)));
  return place;
}
