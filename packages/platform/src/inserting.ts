import { type SQL, getTableColumns, getTableName, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";

/** What an INSERT has beside its rows. */
interface InsertDetails {
  /** Follows the rows: a WHERE. */
  condition?: SQL;
  /** Omitted columns that do not take their default, and their values. */
  computed?: readonly { column: string; value: SQL }[];
}

/**
 * Prepares an INSERT of rows as one JSON parameter, so that the statement is the same for any number of them, and building it
 * costs next to nothing. It may be a part of another statement. PostgreSQL gives omitted columns their defaults.
 */
export function insertingInto(
  table: PgTable,
  omitted: readonly string[] = [],
): (rows: readonly object[], details?: InsertDetails) => SQL {
  const columns = Object.entries(getTableColumns(table)).filter(([field]) => !omitted.includes(field));
  const name = `"${getTableName(table)}"`;
  const names = columns.map(([, column]) => `"${column.name}"`).join(", ");
  return (rows, { condition = sql``, computed = [] } = {}) => {
    const named = rows.map((row) => {
      const values: Record<string, unknown> = {};
      for (const [field, column] of columns) values[column.name] = row[field as keyof typeof row];
      return values;
    });
    const into = [names, ...computed.map(({ column }) => `"${column}"`)].join(", ");
    const selected = sql.join([sql.raw(names), ...computed.map(({ value }) => value)], sql.raw(", "));
    return sql`${sql.raw(`INSERT INTO ${name} (${into})`)} SELECT ${selected}
      FROM json_populate_recordset(${sql.raw(`NULL::${name}`)}, ${JSON.stringify(named)}::json) ${condition}`;
  };
}
