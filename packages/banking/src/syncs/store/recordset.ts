import { sql } from "drizzle-orm";

/** Passes rows as one parameter: a list of any length is the same prepared statement. */
export const recordset = (rows: readonly object[], shape: string) =>
  sql`json_to_recordset(${JSON.stringify(rows)}::json) AS item(${sql.raw(shape)})`;
