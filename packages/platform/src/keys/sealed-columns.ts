import * as database from "@purser/db";
import { type SQL, is, sql } from "drizzle-orm";
import { type PgColumn, PgTable, getTableConfig } from "drizzle-orm/pg-core";
import { sealedFor } from "../jobs/definition.ts";
import { runnerJobs } from "../jobs/table.ts";
import { type SealContext, sealedIn } from "../secrets.ts";

/** A column with sealed texts, and how to find, open and replace each of them. */
export interface SealedColumn {
  /** For operators: table and column, or `jobs`. */
  location: string;
  /** The column, with its schema and table. */
  column: string;
  table: PgTable;
  text: SQL;
  /** The primary key. */
  key: PgColumn[];
  contextOf(key: readonly string[]): SealContext;
  /** The assignment of an UPDATE. */
  assign(sealed: string): SQL;
}

/** Lists every sealed column of the schema, and the payloads of the jobs. It finds a new column by its type. */
export function sealedColumns(): SealedColumn[] {
  const tables = Object.values(database).filter((exported) => is(exported, PgTable));
  return [...tables.flatMap((table) => sealedColumnsOf(table)), jobPayloads];
}

function sealedColumnsOf(table: PgTable): SealedColumn[] {
  const { name, columns } = getTableConfig(table);
  return columns
    .filter((column) => database.isSealed(column))
    .map((column) => ({
      location: `${name}.${column.name}`,
      column: `public.${name}.${column.name}`,
      table,
      text: sql`${column}`,
      key: primaryKeyOf(table),
      contextOf: table === database.outboxJobs ? jobContextOf : (key) => sealedIn(column, key),
      assign: (sealed) => sql`${sql.identifier(column.name)} = ${sealed}`,
    }));
}

/** In the order of the table's declaration, which `sealedIn` uses too. */
function primaryKeyOf(table: PgTable): PgColumn[] {
  const { name, columns, primaryKeys } = getTableConfig(table);
  const key = primaryKeys[0]?.columns ?? columns.filter((column) => column.primary);
  if (key.length === 0) throw new Error(`The table ${name} has sealed columns but no primary key`);
  return key;
}

/** A job is moved into the queue as it is sealed. Both keys end with its name and id. */
const jobContextOf = (key: readonly string[]) => sealedFor(key.at(-2)!, key.at(-1)!);

const jobPayloads: SealedColumn = {
  location: "jobs",
  column: "pgboss.job.data",
  table: runnerJobs,
  text: sql`${runnerJobs.data} ->> 'sealed'`,
  key: [runnerJobs.name, runnerJobs.id],
  contextOf: jobContextOf,
  assign: (sealed) => sql`data = jsonb_build_object('sealed', ${sealed}::text)`,
};
