import { sql } from "drizzle-orm";
import type { Executor } from "../connection/database.ts";

/** A table whose rows belong to a backup. */
export interface BackedUpTable {
  /** The name with its schema, both quoted for SQL. */
  name: string;
  columns: string[];
  /** Selects the rows; null for all. */
  condition: string | null;
}

/**
 * The jobs to back up: those that are not done, and the dead ones, which an operator may replay. Migrations create queues
 * and schedules, and a schedule creates its jobs, which have no payload.
 */
const jobs = {
  name: "pgboss.job",
  condition: "state <> 'completed' AND data IS NOT NULL AND name NOT LIKE '\\_\\_%'",
};

/** Every process that opens the database starts an era of events, also if there are none. */
const eras = "public.event_eras";

/**
 * Lists every table of the service, parents before the tables whose foreign keys refer to them. It reads the database's
 * catalog, not the code, so a backup is complete whichever version the database has.
 */
export async function listTables(db: Executor): Promise<BackedUpTable[]> {
  const rows = await db.execute<{ name: string; columns: string[]; parents: string[] }>(sql`
    SELECT ${quoted} AS name,
      ARRAY(
        SELECT attname::text FROM pg_attribute
        WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum
      ) AS columns,
      ARRAY(
        SELECT ${quoted} FROM pg_constraint k JOIN pg_class c ON c.oid = k.confrelid
          JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE k.conrelid = outside.oid AND k.contype = 'f' AND k.confrelid <> k.conrelid
      ) AS parents
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace CROSS JOIN LATERAL (SELECT c.oid) AS outside
    WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND (n.nspname = 'public' OR ${quoted} = ${jobs.name})
      AND NOT EXISTS (
        SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = c.oid AND deptype = 'e'
      )
    ORDER BY 1`);
  return parentsFirst([...rows]).map(({ name, columns }) => ({
    name,
    columns,
    condition: name === jobs.name ? jobs.condition : null,
  }));
}

const quoted = sql`format('%I.%I', n.nspname, c.relname)`;

function parentsFirst<Table extends { name: string; parents: string[] }>(tables: readonly Table[]): Table[] {
  const waiting = new Map(tables.map((table) => [table.name, table]));
  const ordered: Table[] = [];
  while (waiting.size > 0) {
    const next = [...waiting.values()].filter(({ parents }) => !parents.some((name) => waiting.has(name)));
    if (next.length === 0) throw new Error(`Foreign keys form a cycle: ${[...waiting.keys()].join(", ")}`);
    for (const table of next) waiting.delete(table.name);
    ordered.push(...next);
  }
  return ordered;
}

/** Locks the tables until the transaction ends, against alteration, or also against writers. */
export async function lockTables(
  db: Executor,
  tables: readonly Pick<BackedUpTable, "name">[],
  against: "alteration" | "writers",
): Promise<void> {
  const names = sql.raw(tables.map(({ name }) => name).join(", "));
  const mode = sql.raw(against === "writers" ? "SHARE ROW EXCLUSIVE" : "ACCESS SHARE");
  await db.execute(sql`LOCK TABLE ${names} IN ${mode} MODE`);
}

/**
 * Creates the queues of restored jobs that this version of the service does not have. A foreign key requires them, and a
 * version that has them finds the jobs there.
 */
export async function createMissingQueues(db: Executor): Promise<void> {
  await db.execute(sql`
    SELECT pgboss.create_queue(name, '{"policy": "standard"}') FROM (SELECT DISTINCT name FROM pgboss.job) AS restored
    WHERE name NOT IN (SELECT name FROM pgboss.queue)`);
}

/** Returns a table that has rows, or undefined if all are empty. Eras without events count as none. */
export async function findRows(db: Executor, tables: readonly BackedUpTable[]): Promise<string | undefined> {
  if (tables.length === 0) return undefined;
  const looks = tables
    .filter(({ name }) => name !== eras)
    .map((table) => sql`SELECT ${table.name} AS name WHERE EXISTS (${sql.raw(selection(table))})`);
  const [found] = await db.execute<{ name: string }>(sql`${sql.join(looks, sql` UNION ALL `)} LIMIT 1`);
  return found?.name;
}

/** Deletes the eras of a database without events. The next process to start finds those of the backup, and adds its own. */
export async function deleteEras(db: Executor, tables: readonly BackedUpTable[]): Promise<void> {
  if (tables.some(({ name }) => name === eras)) await db.execute(sql.raw(`DELETE FROM ${eras}`));
}

/** Returns the query for the rows of a table. */
export function selection({ name, columns, condition }: BackedUpTable): string {
  return `SELECT ${columnList(columns)} FROM ${name}${condition === null ? "" : ` WHERE ${condition}`}`;
}

/** Returns column names quoted for SQL. */
export function columnList(columns: readonly string[]): string {
  return columns.map((column) => `"${column.replaceAll('"', '""')}"`).join(", ");
}
