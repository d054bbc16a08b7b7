import { type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Database } from "./connection/connect.ts";

const batch = 5000;

/**
 * Deletes the rows that match, and gives how many there were. Each statement takes a bounded number, so that a
 * backlog, however long, cannot run into the statement timeout again and again without getting shorter.
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
