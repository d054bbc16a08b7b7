import { type CsvColumn, currencyExponents } from "@purser/core";
import { type Column, type SQL, sql } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import type { Database } from "./connection/database.ts";

type Value = Column | SQL | SQL.Aliased;

/** A cell of a line. */
interface CsvCell {
  /** The cell as `csvCell` writes it. Never null. */
  written: SQL;
  /** For a text, the text itself, which may be null. Nearly all texts are written as they are. */
  text?: Value;
}

/** Cells of CSV that PostgreSQL writes as `csvCell` would. Half of an export's time would be that function's. */
export const csvCells = {
  /** A text, or null. */
  text: (value: Value): CsvCell => ({
    text: value,
    written: sql`CASE WHEN ${value} IS NULL THEN '' ELSE ${quoted(disarmed(value), value)} END`,
  }),
  /** An identifier of ours, or one of the words that a CHECK allows: nothing in it is special. */
  word: (value: Value): CsvCell => ({ written: sql`${value}` }),
  integer: (value: Value): CsvCell => ({ written: sql`${value}` }),
  /** An amount in major units. */
  amount: (amount: Value, currency: Value): CsvCell => {
    const cases = unusualExponents.map(
      ([exponent, currencies]) =>
        sql`WHEN ${currency} IN (${sql.raw(currencies)}) THEN ${shifted(amount, exponent)}`,
    );
    // One look into the whole list is enough for nearly all amounts.
    const all = sql.raw(unusualExponents.map(([, currencies]) => currencies).join(", "));
    return {
      written: sql`CASE WHEN ${currency} NOT IN (${all}) THEN ${shifted(amount, 2)} ${sql.join(cases, sql` `)} END`,
    };
  },
  /** A day, as the instant at which it begins in UTC. */
  day: (value: Value): CsvCell => ({ written: sql`${value} || 'T00:00:00.000Z'` }),
  /** An instant, or null. */
  instant: (value: Value): CsvCell => ({
    written: sql`coalesce(to_char(${value} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), '')`,
  }),
};

const disarmed = (value: Value): SQL =>
  sql`CASE WHEN ${value} COLLATE "C" ~ E'^[-=+@\\t\\r]' THEN '''' || ${value} ELSE ${value} END`;

const quoted = (written: SQL, value: Value): SQL =>
  sql`CASE WHEN ${value} COLLATE "C" ~ E'[",\\r\\n]' THEN '"' || replace(${written}, '"', '""') || '"' ELSE ${written} END`;

/** The currencies whose exponent is not 2, as lists of literals. They are ours, so they need no escaping. */
const unusualExponents: (readonly [exponent: number, currencies: string])[] = [
  ...Map.groupBy(Object.entries(currencyExponents), ([, exponent]) => exponent),
].map(([exponent, entries]) => [exponent, entries.map(([currency]) => `'${currency}'`).join(", ")]);

/** A product is exact, has the digits of its factor, and takes less time than a quotient or a part of the text. */
const shifted = (amount: Value, exponent: number): SQL =>
  sql`${amount} * ${sql.raw((0.1 ** exponent).toFixed(exponent))}`;

/**
 * Joins cells to a line, without its end. Throws if they are not those of the columns, in any order, or have parameters: the
 * result is the SQL itself, written once for all pages.
 */
export function csvLine(columns: readonly CsvColumn[], cells: Readonly<Record<string, CsvCell>>): SQL {
  const names = columns.map(({ name }) => name);
  if (names.length !== Object.keys(cells).length || names.some((name) => cells[name] === undefined))
    throw new Error(`The cells are not those of the columns: ${Object.keys(cells).join(", ")}`);
  const ordered = names.map((name) => cells[name]!);
  const { sql: line, params } = new PgDialect().sqlToQuery(lineOf(ordered));
  if (params.length > 0) throw new Error("The cells of a line have parameters");
  return sql.raw(line);
}

function lineOf(cells: readonly CsvCell[]): SQL {
  const careful = joined(cells.map(({ written }) => written));
  const texts = cells.flatMap(({ text }) => (text === undefined ? [] : [orEmpty(text)]));
  if (texts.length === 0) return careful;
  const plain = joined(cells.map(({ text, written }) => (text === undefined ? written : orEmpty(text))));
  return sql`CASE WHEN ${arePlain(texts)} THEN ${plain} ELSE ${careful} END`;
}

const joined = (cells: readonly SQL[]): SQL => sql`concat_ws(',', ${sql.join([...cells], sql`, `)})`;
const orEmpty = (value: Value): SQL => sql`coalesce(${value}, '')`;

/** Whether these texts need neither quotes nor an apostrophe. One search in all of them takes less time than one in each. */
function arePlain(texts: readonly SQL[]): SQL {
  const conditions = texts.map((text) => sql`ascii(${text}) NOT IN (9, 13, 43, 45, 61, 64)`);
  const all = sql.join([...texts], sql` || `);
  return sql.join([...conditions, sql`(${all}) COLLATE "C" !~ E'[",\\r\\n]'`], sql` AND `);
}

interface CsvPageOptions {
  line: SQL;
  /** What each line ends with. */
  end: string;
  id: Value;
  /** The order in which the rows are read. PostgreSQL sees that, and does not sort them again. */
  order: SQL;
  /** The largest number of lines. */
  rows: number;
}

/**
 * Selects a page as one text. A row as one text instead of many values takes a fraction of the time of the process, which is
 * one thread.
 */
export const csvPage = ({ line, end, id, order, rows }: CsvPageOptions) => ({
  /** Each line with the end. Null if the page is empty. */
  text: sql<string | null>`string_agg(${line}, ${end}::text ORDER BY ${order}) || ${end}::text`,
  /** The id of the last row of a full page. Null if the page is not full, and so the last one. */
  last: sql<string | null>`(array_agg(${id} ORDER BY ${order}))[${rows}::int]`,
});

/** What a list's `csvPage` has returned. */
export interface CsvPage {
  /** The lines, in UTF-8. */
  text: Buffer;
  last: string | null;
}

interface PageQuery {
  toSQL(): { sql: string; params: unknown[] };
}

/**
 * Reads a page that a query selects as `text` and `last`, in this order. The text stays as it comes from the database. If the
 * signal aborts, the query is cancelled in the database, and this throws the signal's reason.
 */
export async function readCsvPage(db: Database, query: PageQuery, signal?: AbortSignal): Promise<CsvPage> {
  const { sql: statement, params } = query.toSQL();
  // A transaction keeps its connection, so that a late cancellation cannot end another caller's query.
  return db.$client.begin("read only", async (transaction) => {
    const backend = transaction.unsafe("SELECT pg_backend_pid() AS pid").execute();
    let cancelled: Promise<unknown> | undefined;
    const cancel = () => {
      cancelled = backend.then(([row]) => cancelBackend(db, row!["pid"])).catch(() => undefined);
    };
    // If it fails, the query behind it fails too.
    backend.catch(() => undefined);
    signal?.addEventListener("abort", cancel, { once: true });
    try {
      signal?.throwIfAborted();
      const [row] = await transaction.unsafe(statement, params as never[]).raw();
      const [text, last] = row as unknown as (Buffer | null)[];
      return { text: text ?? Buffer.alloc(0), last: last?.toString() ?? null };
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener("abort", cancel);
      await cancelled;
    }
  });
}

const cancelBackend = (db: Database, pid: number) => db.execute(sql`SELECT pg_cancel_backend(${pid}::int)`);
