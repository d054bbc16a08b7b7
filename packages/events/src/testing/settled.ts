import { type Database, events } from "@purser/db";
import { sql } from "drizzle-orm";
import { vi } from "vitest";

/**
 * Waits until the feed of an organization shows all of its committed events. A transaction in any database of the server, such
 * as one of autovacuum or of another test, may hold up some of them. Returns their ids, in the order of the feed.
 */
export async function untilSettled(db: Database, organizationId: string): Promise<string[]> {
  const settled = await vi.waitUntil(
    async () => {
      const rows = await db.execute<{ id: string; isSettled: boolean }>(sql`
        SELECT id, transaction_id < (SELECT feed_horizon()) AS "isSettled"
        FROM ${events} WHERE organization_id = ${organizationId} ORDER BY era, transaction_id, recorded_at, id`);
      return rows.every(({ isSettled }) => isSettled) && rows;
    },
    { timeout: 60_000, interval: 5 },
  );
  return settled.map(({ id }) => id);
}
