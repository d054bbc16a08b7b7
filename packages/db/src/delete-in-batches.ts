import { type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Database } from "./connection/database.ts";

const batch = 5000;

/**
 * Deletes the matching rows and returns their number. Each statement deletes a bounded number of rows, so even a long
 * backlog makes progress within the statement timeout.
 */
export async function deleteInBatches(
  db: Database,
  table: PgTable,
  matches: SQL | undefined,
): Promise<number> {
  let deleted = 0;
  for (;;) {
    const some = db
      .select({ row: sql`ctid` })
      .from(table)
      .where(matches)
      .limit(batch);
    const { count } = await db.delete(table).where(sql`ctid = ANY(ARRAY(${some}))`);
    deleted += count;
    if (count < batch) return deleted;
  }
}
