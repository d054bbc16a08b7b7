import { type SQL, and, sql } from "drizzle-orm";
import { type PgTable, getTableConfig } from "drizzle-orm/pg-core";
import type { Database, Executor } from "./connection/database.ts";

const batch = 5000;

interface Deletion {
  /** Holds for every row, and leads to the matching ones by an index. */
  foundBy?: SQL;
  /** How long the deletion may go on: less than half of the hour until the next one. */
  limitMs?: number;
}

/**
 * Deletes the matching rows and returns their number. Each statement deletes a bounded number of rows, so even a long
 * backlog makes progress within the statement timeout. What is left when its time is over is for the next call.
 */
export async function deleteInBatches(
  db: Database,
  table: PgTable,
  matches: SQL | undefined,
  { foundBy, limitMs = 20 * 60_000 }: Deletion = {},
): Promise<number> {
  const begun = performance.now();
  let deleted = 0;
  for (;;) {
    const { count, isLast } = await deleteBatch(db, table, matches, { foundBy });
    deleted += count;
    if (isLast || performance.now() - begun >= limitMs) return deleted;
  }
}

/**
 * Deletes one batch of the matching rows, for a caller that holds a lock during each. `within` names their organization: a
 * distributed database then asks only the server that holds it.
 */
export async function deleteBatch(
  db: Executor,
  table: PgTable,
  matches: SQL | undefined,
  { within, foundBy }: { within?: SQL | undefined; foundBy?: SQL | undefined } = {},
): Promise<{ count: number; isLast: boolean }> {
  const key = primaryKeyOf(table);
  const where = and(foundBy, matches) ?? sql`true`;
  const some = sql`SELECT ${key} FROM ${table} WHERE ${where} LIMIT ${sql.raw(String(batch))}`;
  // Another transaction may renew a row that was chosen. PostgreSQL then checks this condition again for the new row, but not
  // the one inside the choice. `coalesce` hides it from the planner, which otherwise, with old statistics, compares each row
  // that matches with all that were chosen.
  const stillMatches = matches && sql`coalesce((${matches}), false)`;
  const { count } = await db.delete(table).where(and(within, stillMatches, sql`(${key}) IN (${some})`));
  return { count, isLast: count < batch };
}

/** Not the place of the row (`ctid`), which differs between the servers of a distributed database. */
function primaryKeyOf(table: PgTable): SQL {
  const { columns, primaryKeys } = getTableConfig(table);
  const [composite] = primaryKeys;
  const key = composite?.columns ?? columns.filter(({ primary }) => primary);
  if (key.length === 0) throw new Error(`The table ${getTableConfig(table).name} has no primary key`);
  return sql.join(key, sql`, `);
}
