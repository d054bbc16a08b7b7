import { type Executor, type Transaction, bankQuarantine, bankTransactions } from "@purser/db";
import { type SQL, and, asc, count, eq, gte, inArray, lt, sql } from "drizzle-orm";
import { lexemesOf } from "../../transactions/lexemes.ts";
import type { LedgerRow } from "../rules/matching.ts";
import { type ChangedTotal, type DailyTotals, selectChangedTotals, totaledColumns } from "./daily-totals.ts";
import { recordset, textColumns } from "./recordset.ts";

/** The ledger of one connection. */
export interface LedgerKey {
  organizationId: string;
  connectionId: string;
}

/** For what does not depend on the connection. */
type InOrganization = Pick<LedgerKey, "organizationId">;

const columns = {
  id: bankTransactions.id,
  accountId: bankTransactions.accountId,
  connectionId: bankTransactions.connectionId,
  externalId: bankTransactions.externalId,
  idEpoch: bankTransactions.idEpoch,
  status: bankTransactions.status,
  amount: bankTransactions.amount,
  rawAmount: bankTransactions.rawAmount,
  currency: bankTransactions.currency,
  type: bankTransactions.type,
  description: bankTransactions.description,
  merchantName: bankTransactions.merchantName,
  transactionDate: bankTransactions.transactionDate,
  category: bankTransactions.category,
};

/**
 * Finds the rows that fit each item, one item after the other. A first sync fills a table that the planner believes to
 * be empty, and a join would scan all of it for every page.
 */
async function ofEach(
  db: Executor,
  items: readonly object[],
  shape: string,
  fits: SQL | undefined,
): Promise<LedgerRow[]> {
  if (items.length === 0) return [];
  // The offset prevents the planner from flattening this into a join.
  const fitting = db
    .select(columns)
    .from(bankTransactions)
    .where(fits)
    .offset(sql.raw("0") as never)
    .as("fitting");
  return db
    .select({ ...fitting._.selectedFields })
    .from(recordset(items, shape) as never)
    .crossJoinLateral(fitting);
}

/** Finds the rows of a connection by external ids. */
export function findByExternalId(
  db: Executor,
  { organizationId, connectionId }: LedgerKey,
  ids: readonly { accountId: string; externalId: string }[],
): Promise<LedgerRow[]> {
  const items = ids.map(({ accountId, externalId }) => ({ accountId, externalId }));
  const fits = and(
    inOrganization(organizationId),
    eq(bankTransactions.connectionId, connectionId),
    sql`${bankTransactions.accountId} = item."accountId"`,
    sql`${bankTransactions.externalId} = item."externalId"`,
  );
  return ofEach(db, items, `"accountId" text, "externalId" text`, fits);
}

// Literals, not parameters: a generic plan could not use the partial indexes.
const isPosted = sql`${bankTransactions.status} = 'POSTED'`;
const isPending = sql`${bankTransactions.status} = 'PENDING'`;

const inOrganization = (organizationId: string): SQL => eq(bankTransactions.organizationId, organizationId);

/** Counts the rows of an account whose external id has this prefix. */
export async function countDuplicates(
  db: Executor,
  { organizationId, connectionId }: LedgerKey,
  accountId: string,
  prefix: string,
): Promise<number> {
  const { externalId } = bankTransactions;
  const [row] = await db
    .select({ duplicates: count() })
    .from(bankTransactions)
    .where(
      and(
        inOrganization(organizationId),
        eq(bankTransactions.accountId, accountId),
        eq(bankTransactions.connectionId, connectionId),
        // Digits follow the prefix, and ':' sorts after them.
        and(gte(externalId, prefix), lt(externalId, `${prefix}:`)),
      ),
    );
  return row?.duplicates ?? 0;
}

/** Finds the pending rows of the accounts and amounts of these transactions. */
export function findPending(
  db: Executor,
  { organizationId }: InOrganization,
  posted: readonly { accountId: string; amount: number }[],
): Promise<LedgerRow[]> {
  const accountIds = [...new Set(posted.map(({ accountId }) => accountId))];
  const amounts = [...new Set(posted.map(({ amount }) => amount))];
  return db
    .select(columns)
    .from(bankTransactions)
    .where(
      and(
        inOrganization(organizationId),
        inArray(bankTransactions.accountId, accountIds),
        inArray(bankTransactions.amount, amounts),
        isPending,
      ),
    )
    .orderBy(asc(bankTransactions.id));
}

/** Finds rows by their own ids. */
export function findById(
  db: Executor,
  { organizationId }: InOrganization,
  ids: readonly string[],
): Promise<LedgerRow[]> {
  const items = ids.map((id) => ({ id }));
  return ofEach(
    db,
    items,
    `id text`,
    and(inOrganization(organizationId), sql`${bankTransactions.id} = item.id`),
  );
}

/** Finds the rows of these accounts on these days. Of removed rows, only those that are missing at the bank. */
export async function findByDay(
  db: Executor,
  { organizationId }: InOrganization,
  accountIds: readonly string[],
  days: readonly string[],
): Promise<LedgerRow[]> {
  const { accountId, transactionDate, id } = bankTransactions;
  const items = accountIds.flatMap((account) => days.map((day) => ({ account, day })));
  const onTheDay = and(
    inOrganization(organizationId),
    sql`${accountId} = item.account`,
    sql`${transactionDate} = item.day`,
  );
  const posted = await ofEach(db, items, `account text, day date`, and(onTheDay, isPosted));
  const pending = await db
    .select(columns)
    .from(bankTransactions)
    .where(
      and(
        inOrganization(organizationId),
        inArray(accountId, [...accountIds]),
        inArray(transactionDate, [...days]),
        isPending,
      ),
    )
    .orderBy(asc(id));
  const missing = await db
    .select(columns)
    .from(bankQuarantine)
    .innerJoin(
      bankTransactions,
      and(eq(bankTransactions.organizationId, organizationId), eq(id, bankQuarantine.transactionId)),
    )
    .where(
      and(
        eq(bankQuarantine.organizationId, organizationId),
        inArray(bankQuarantine.accountId, [...accountIds]),
        eq(bankQuarantine.reason, "MISSING_FROM_WINDOW"),
        inArray(transactionDate, [...days]),
        eq(bankTransactions.status, "REMOVED"),
      ),
    );
  return [...posted, ...pending, ...missing].toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

/** Lists the pending rows of an account from a day on; null for all. */
export function listPending(
  db: Executor,
  { organizationId }: InOrganization,
  accountId: string,
  from: string | null,
): Promise<LedgerRow[]> {
  const { transactionDate, id } = bankTransactions;
  return db
    .select(columns)
    .from(bankTransactions)
    .where(
      and(
        inOrganization(organizationId),
        eq(bankTransactions.accountId, accountId),
        isPending,
        from === null ? undefined : gte(transactionDate, from),
      ),
    )
    .orderBy(asc(id));
}

/** Lists the posted rows of an account after this position, oldest first. */
export function listPosted(
  db: Executor,
  { organizationId }: InOrganization,
  accountId: string,
  after: { transactionDate: string; id: string },
  rows: number,
): Promise<LedgerRow[]> {
  const { transactionDate, id } = bankTransactions;
  return db
    .select(columns)
    .from(bankTransactions)
    .where(
      and(
        inOrganization(organizationId),
        eq(bankTransactions.accountId, accountId),
        isPosted,
        sql`(${transactionDate}, ${id}) > (${after.transactionDate}::date, ${after.id})`,
      ),
    )
    .orderBy(asc(transactionDate), asc(id))
    .limit(rows);
}

const shape = `id text, "accountId" text, "connectionId" text, "externalId" text, "idEpoch" integer, status text, amount bigint,
  "rawAmount" text, currency text, type text, description text, "merchantName" text, "transactionDate" date, category text,
  search text`;
const lexemes = sql`array_to_tsvector(string_to_array(item.search, ' '))`;

/** The rows with what they are found by. */
const searchable = (organizationId: string, rows: readonly LedgerRow[]) =>
  rows.map((row) => ({ ...row, search: lexemesOf(organizationId, row) }));

/** The time of a write, and the totals that it changes. The code that created the totals writes them. */
export interface LedgerWrite {
  now: Date;
  totals: DailyTotals;
}

const insertedFields = [...(Object.keys(columns) as (keyof typeof columns)[]), "search"] as const;

export async function insertRows(
  transaction: Transaction,
  organizationId: string,
  rows: readonly LedgerRow[],
  { now, totals }: LedgerWrite,
): Promise<void> {
  if (rows.length === 0) return;
  const at = now.toISOString();
  await transaction.execute(sql`
    INSERT INTO ${bankTransactions} (organization_id, id, account_id, connection_id, external_id, id_epoch, status, amount,
      raw_amount, currency, type, description, merchant_name, transaction_date, category, search, created_at, updated_at)
    SELECT ${organizationId}::text, id, "accountId", "connectionId", "externalId", "idEpoch"::integer, status, amount::bigint,
      "rawAmount", currency, type, description, "merchantName", "transactionDate"::date, category, ${lexemes},
      ${at}::timestamptz, ${at}::timestamptz
    FROM ${textColumns(searchable(organizationId, rows), insertedFields)}`);
  totals.addRows(rows);
}

/**
 * Writes the columns of these rows that the bank owns. The row's own id and its account stay, and so does what a person set;
 * the bank's id may change.
 */
export async function updateRows(
  transaction: Transaction,
  organizationId: string,
  rows: readonly LedgerRow[],
  { now, totals }: LedgerWrite,
): Promise<void> {
  if (rows.length === 0) return;
  const changed = await transaction.execute<ChangedTotal>(sql`
    WITH item AS (SELECT * FROM ${recordset(searchable(organizationId, rows), shape)}),
    before AS (${lockRows(organizationId)}),
    changed AS (UPDATE ${bankTransactions} AS row SET connection_id = item."connectionId", external_id = item."externalId",
      id_epoch = item."idEpoch", status = item.status, amount = item.amount, raw_amount = item."rawAmount",
      currency = item.currency, type = item.type, description = item.description,
      merchant_name = item."merchantName", transaction_date = item."transactionDate", category = item.category,
      search = ${lexemes}, updated_at = ${now.toISOString()}::timestamptz
    FROM item JOIN before ON before.id = item.id
    WHERE row.organization_id = ${organizationId}::text AND row.id = before.id RETURNING ${totaledColumns})
    ${selectChangedTotals}`);
  totals.addChanged(changed);
}

/** Selects the rows of the common table expression `item` as they are, locked: no total may be of an older version. */
export const lockRows = (organizationId: string): SQL => sql`
  SELECT ${totaledColumns} FROM ${bankTransactions} AS row JOIN item ON item.id = row.id
  WHERE row.organization_id = ${organizationId}::text FOR UPDATE OF row`;
