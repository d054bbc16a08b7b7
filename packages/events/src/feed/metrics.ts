import type { Executor } from "@purser/db";
import { defineGauge } from "@purser/platform";
import { sql } from "drizzle-orm";

/** The metrics of the feed, which webhooks and streams read too. */
export const feedMetrics = {
  delay: defineGauge("purser_event_feed_delay_seconds", {
    help: "How long the oldest transaction that has written anything has been open, in any database of the server. Events that were recorded since then wait for it",
    labels: [],
    read: readFeedDelay,
  }),
};

/** Zero where no transaction is open. */
async function readFeedDelay(db: Executor): Promise<{ value: number }[]> {
  const [row] = await db.execute<{ value: number }>(sql`
    SELECT greatest(extract(epoch FROM now() - min(began_at)), 0)::float8 AS value FROM (
      SELECT xact_start AS began_at FROM pg_stat_activity WHERE backend_xid IS NOT NULL
      UNION ALL SELECT prepared FROM pg_prepared_xacts) AS open`);
  return [{ value: row?.value ?? 0 }];
}
