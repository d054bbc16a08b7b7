import { sql } from "drizzle-orm";
import type { Executor } from "../connection/connect.ts";

/** A table whose rows belong to a backup. */
export interface BackedUpTable {
  /** With its schema, as SQL quotes both. */
  name: string;
  columns: string[];
  /** Which rows; null for all. */
  condition: string | null;
}

/**
 * Of the job runner, what is still to be done and what is dead, which an operator may replay. Queues and schedules
 * are made by migrating, and what runs on a schedule, which carries nothing, by the schedule.
 */
const jobs = {
  name: "pgboss.job",
  condition: "state <> 'completed' AND data IS NOT NULL AND name NOT LIKE '\\_\\_%'",
};

/**
 * Every table of the service that the database has, each after those that its foreign keys lead to. It asks the
 * database, not the code: a backup is made of what is there, whichever version it is.
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
    if (next.length === 0) throw new Error(`Foreign keys go in a circle: ${[...waiting.keys()].join(", ")}`);
    for (const table of next) waiting.delete(table.name);
    ordered.push(...next);
  }
  return ordered;
}

/** Keeps the tables as they are until the transaction ends: from being altered, or also from being written to. */
export async function lockTables(
  db: Executor,
  tables: readonly BackedUpTable[],
  against: "alteration" | "writers",
): Promise<void> {
  const names = sql.raw(tables.map(({ name }) => name).join(", "));
  const mode = sql.raw(against === "writers" ? "SHARE ROW EXCLUSIVE" : "ACCESS SHARE");
  await db.execute(sql`LOCK TABLE ${names} IN ${mode} MODE`);
}

/** A table that has rows, or undefined where none has. */
export async function findRows(db: Executor, tables: readonly BackedUpTable[]): Promise<string | undefined> {
  if (tables.length === 0) return undefined;
  const looks = tables.map(
    (table) => sql`SELECT ${table.name} AS name WHERE EXISTS (${sql.raw(selection(table))})`,
  );
  const [found] = await db.execute<{ name: string }>(sql`${sql.join(looks, sql` UNION ALL `)} LIMIT 1`);
  return found?.name;
}

/** The rows of a table, as a query. */
export function selection({ name, columns, condition }: BackedUpTable): string {
  return `SELECT ${columnList(columns)} FROM ${name}${condition === null ? "" : ` WHERE ${condition}`}`;
}

/** Column names as SQL takes them. */
export function columnList(columns: readonly string[]): string {
  return columns.map((column) => `"${column.replaceAll('"', '""')}"`).join(", ");
}
