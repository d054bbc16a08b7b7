import { type CsvColumn, currencyExponents } from "@purser/core";
import { type Column, type SQL, sql } from "drizzle-orm";

type Value = Column | SQL | SQL.Aliased;

/** Cells of CSV that PostgreSQL writes as `csvCell` would. Half of an export's time would be that function's. */
export const csvCells = {
  /** A text, or null. Nearly all texts need neither quotes nor an apostrophe, and pass the first condition. */
  text: (value: Value): SQL => sql`CASE WHEN ${value} COLLATE "C" !~ E'[",\\r\\n]|^[-=+@\\t]' THEN ${value}
    WHEN ${value} IS NULL THEN '' ELSE ${quoted(disarmed(value), value)} END`,
  /** An identifier of ours, or one of the words that a CHECK allows: nothing in it is special. */
  word: (value: Value): SQL => sql`${value}`,
  integer: (value: Value): SQL => sql`${value}::text`,
  /** An amount in major units. */
  amount: (amount: Value, currency: Value): SQL =>
    sql`CASE ${sql.join(
      unusualExponents.map(
        ([exponent, currencies]) =>
          sql`WHEN ${currency} IN (${sql.raw(currencies)}) THEN ${shifted(amount, exponent)}`,
      ),
      sql` `,
    )} ELSE ${shifted(amount, 2)} END`,
  /** A day, as the instant at which it begins in UTC. */
  day: (value: Value): SQL => sql`${value}::text || 'T00:00:00.000Z'`,
  /** An instant, or null. */
  instant: (value: Value): SQL =>
    sql`coalesce(to_char(${value} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), '')`,
};

const disarmed = (value: Value): SQL =>
  sql`CASE WHEN ${value} COLLATE "C" ~ E'^[-=+@\\t\\r]' THEN '''' || ${value} ELSE ${value} END`;

const quoted = (written: SQL, value: Value): SQL =>
  sql`CASE WHEN ${value} COLLATE "C" ~ E'[",\\r\\n]' THEN '"' || replace(${written}, '"', '""') || '"' ELSE ${written} END`;

/** The currencies whose exponent is not 2, as lists of literals. They are ours, so they need no escaping. */
const unusualExponents: (readonly [exponent: number, currencies: string])[] = [
  ...Map.groupBy(Object.entries(currencyExponents), ([, exponent]) => exponent),
].map(([exponent, entries]) => [exponent, entries.map(([currency]) => `'${currency}'`).join(", ")]);

/** Cutting the text takes a third of the time of dividing, and needs a digit before the point. */
function shifted(amount: Value, exponent: number): SQL {
  if (exponent === 0) return sql`${amount}::text`;
  const [one, fraction] = [sql.raw(String(10 ** exponent)), sql.raw((0.1 ** exponent).toFixed(exponent))];
  const digits = sql.raw(String(exponent));
  return sql`CASE WHEN abs(${amount}) >= ${one} THEN left(${amount}::text, -${digits}) || '.' || right(${amount}::text, ${digits})
    ELSE (${amount} * ${fraction})::text END`;
}

/** Joins cells to a line, without its end. Throws if they are not those of the columns, in any order. */
export function csvLine(columns: readonly CsvColumn[], cells: Readonly<Record<string, SQL>>): SQL {
  const names = columns.map(({ name }) => name);
  if (names.length !== Object.keys(cells).length || names.some((name) => cells[name] === undefined))
    throw new Error(`The cells are not those of the columns: ${Object.keys(cells).join(", ")}`);
  return sql.join(
    names.map((name) => cells[name]!),
    sql` || ',' || `,
  );
}

/**
 * Selects a page of at most so many rows as one text. A row as one text instead of many values takes a fraction of the time
 * of the process, which is one thread.
 */
export const csvPage = (page: { line: SQL; end: string; id: Value; order: SQL; rows: number }) => ({
  /** Each line with the end. Null if the page is empty. */
  text: sql<string | null>`string_agg(${page.line} || ${page.end}::text, '' ORDER BY ${page.order})`,
  /** The id of the last row of a full page. Null if the page is not full, and so the last one. */
  last: sql<string | null>`(array_agg(${page.id} ORDER BY ${page.order}))[${page.rows}::int]`,
});

/** What a list's `csvPage` has returned. */
export interface CsvPage {
  text: string;
  last: string | null;
}
