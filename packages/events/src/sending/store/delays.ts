import { type Executor, events, webhookEndpoints } from "@purser/db";
import type { GaugeValue } from "@purser/platform";
import { sql } from "drizzle-orm";

type DelayRow = GaugeValue<"stage">;

/** Returns how long work for endpoints has been waiting, by stage. Zero where none waits. */
export async function readSendingDelays(db: Executor): Promise<DelayRow[]> {
  const rows = await db.execute<DelayRow>(sql`
    SELECT 'feed' AS stage, coalesce(extract(epoch FROM now() - min(next.created_at)), 0)::float8 AS value
    FROM ${webhookEndpoints} AS endpoint CROSS JOIN LATERAL (
      SELECT created_at FROM ${events} AS event WHERE event.organization_id = endpoint.organization_id
        AND (event.era, event.transaction_id, event.recorded_at, event.id)
          > (endpoint.era, endpoint.transaction_id, endpoint.recorded_at, endpoint.event_id)
      ORDER BY era, transaction_id, recorded_at, id LIMIT 1) AS next WHERE endpoint.status = 'ENABLED'
    UNION ALL
    SELECT 'sending', coalesce(greatest(extract(epoch FROM now() - min(due_at)), 0), 0)::float8
    FROM ${webhookEndpoints} WHERE due_at IS NOT NULL AND lease IS NULL AND failing_since IS NULL`);
  return [...rows];
}
