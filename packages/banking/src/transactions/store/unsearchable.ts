import {
  type Database,
  type Executor,
  bankTransactions,
  isDistributedDatabase,
  searchAllOrganizations,
  sqlState,
} from "@purser/db";
import { sql } from "drizzle-orm";
import { lexemesOf } from "../lexemes.ts";

const { organizationId, id, description, merchantName, transactionDate, amount, search } = bankTransactions;

/** Lists some rows, of any organization, that a version without search wrote. */
export function listUnsearchable(db: Executor, rows: number) {
  return searchAllOrganizations(db, (all) =>
    all
      .select({ organizationId, id, description, merchantName, transactionDate, amount })
      .from(bankTransactions)
      .where(sql`${search} IS NULL`)
      .limit(rows),
  );
}

type UnsearchableRow = Awaited<ReturnType<typeof listUnsearchable>>[number];

/** Indexes rows of one organization. A row that changed since it was read stays for the next time. */
export async function makeSearchable(
  db: Executor,
  ofOrganization: string,
  rows: readonly UnsearchableRow[],
): Promise<void> {
  const items = rows.map((row) => ({ ...row, search: lexemesOf(ofOrganization, row) }));
  const shape = sql.raw(`id text, description text, "transactionDate" date, amount bigint, search text`);
  await db.execute(sql`
    UPDATE ${bankTransactions} AS row SET search = array_to_tsvector(string_to_array(item.search, ' '))
    FROM json_to_recordset(${JSON.stringify(items)}::json) AS item(${shape})
    WHERE row.organization_id = ${ofOrganization}::text AND row.id = item.id AND row.search IS NULL
      AND row.description = item.description AND row.transaction_date = item."transactionDate"
      AND row.amount = item.amount`);
}

const insufficientPrivilege = "42501";

const moving = sql`SELECT gin_clean_pending_list('bank_transactions_search')`;
/** On a distributed database each shard of the table has an index of its own, with the number of the shard in its name. */
const movingOnNodes = sql`SELECT run_command_on_shards('bank_transactions', $$
  SELECT gin_clean_pending_list(replace('%s', 'bank_transactions', 'bank_transactions_search')::regclass) $$)`;

/**
 * Moves the entries that syncs have collected into the search index. Autovacuum does so too, but seldom on a large table.
 * PostgreSQL allows it to the owner of the table only.
 */
export async function moveCollectedEntries(db: Database): Promise<void> {
  try {
    await db.execute((await isDistributedDatabase(db)) ? movingOnNodes : moving);
  } catch (error) {
    if (sqlState(error) !== insufficientPrivilege) throw error;
  }
}
