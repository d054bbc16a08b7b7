import { type SQL, getTableColumns, getTableName, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";

/** SQL expressions that replace a column's value, by field. */
type Adjusted = Readonly<Record<string, (value: string) => string>>;

/**
 * Prepares an INSERT of rows as one JSON parameter, so that the statement is the same for any number of them, and building it
 * costs next to nothing. It may be a part of another statement. PostgreSQL gives omitted columns their defaults.
 */
export function insertingInto(
  table: PgTable,
  omitted: readonly string[] = [],
  adjusted: Adjusted = {},
): (rows: readonly object[], condition?: SQL) => SQL {
  const columns = Object.entries(getTableColumns(table)).filter(([field]) => !omitted.includes(field));
  const name = `"${getTableName(table)}"`;
  const names = columns.map(([, column]) => `"${column.name}"`);
  const selected = columns.map(([field], nth) => adjusted[field]?.(names[nth]!) ?? names[nth]).join(", ");
  return (rows, condition = sql``) => {
    const named = rows.map((row) => {
      const values: Record<string, unknown> = {};
      for (const [field, column] of columns) values[column.name] = row[field as keyof typeof row];
      return values;
    });
    return sql`${sql.raw(`INSERT INTO ${name} (${names.join(", ")}) SELECT ${selected}`)}
      FROM json_populate_recordset(${sql.raw(`NULL::${name}`)}, ${JSON.stringify(named)}::json) ${condition}`;
  };
}

/** An INSERT of exactly one row, for a text that `executeText` of `@purser/db` runs. */
export interface InsertingOne<Row> {
  readonly fields: readonly string[];
  /** The text, with the number of the parameter that each field has. */
  text(numberOf: (field: string) => number): string;
  parameters(row: Row, fields: readonly string[]): unknown[];
}

/**
 * Prepares an INSERT of exactly one row, which PostgreSQL need not parse as JSON first. It gives omitted columns their
 * defaults, and computed ones the value of an expression.
 */
export function insertingOneInto<Row extends object>(
  table: PgTable,
  omitted: readonly string[] = [],
  computed: Readonly<Record<string, string>> = {},
  adjusted: Adjusted = {},
): InsertingOne<Row> {
  const columns = Object.entries(getTableColumns(table)).filter(([field]) => !omitted.includes(field));
  const byField = new Map(columns.filter(([field]) => !Object.hasOwn(computed, field)));
  const names = columns.map(([, column]) => `"${column.name}"`).join(", ");
  return {
    fields: [...byField.keys()],
    text(numberOf) {
      const valueOf = (field: string) => adjusted[field]?.(`$${numberOf(field)}`) ?? `$${numberOf(field)}`;
      const expressions = columns.map(([field]) => computed[field] ?? valueOf(field)).join(", ");
      return `INSERT INTO "${getTableName(table)}" (${names}) VALUES (${expressions})`;
    },
    parameters: (row, fields) =>
      fields.map((field) => {
        const value: unknown = row[field as keyof Row];
        return value === null || value === undefined ? null : byField.get(field)!.mapToDriverValue(value);
      }),
  };
}

/** Inserts a row for each row of another part of the statement. `expressions` read each column from that part. */
export function insertingFrom<Table extends PgTable>(
  source: string,
  table: Table,
  expressions: Readonly<Partial<Record<keyof Table["$inferInsert"], string>>>,
): SQL {
  const columns = Object.entries(getTableColumns(table)).filter(([field]) => field in expressions);
  const names = columns.map(([, { name }]) => `"${name}"`).join(", ");
  const selected = columns.map(([field]) => expressions[field as keyof typeof expressions]).join(", ");
  return sql.raw(`INSERT INTO "${getTableName(table)}" (${names}) SELECT ${selected} FROM ${source}`);
}
