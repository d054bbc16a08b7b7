import { setTimeout as sleep } from "node:timers/promises";
import type { LoadContext } from "./load-context.ts";

/** How long to wait for open work before its timeouts are made to expire. */
const timeoutMs = 700;
/** After this time, open work counts as stuck. */
const limitMs = 60_000;

/** Awaits work, and lets the leases and heartbeats of killed processes expire meanwhile. */
export async function expireTimeoutsDuring(context: LoadContext, work: Promise<void>): Promise<void> {
  const over = new AbortController();
  const ended = work.finally(() => over.abort());
  while (!over.signal.aborted) {
    await sleep(timeoutMs, undefined, { signal: over.signal }).catch(() => undefined);
    if (!over.signal.aborted) await expireTimeouts(context);
  }
  await ended;
}

/** Waits until no work is open: no job, no synchronization, no unapplied webhook event. */
export async function waitUntilIdle(context: LoadContext): Promise<void> {
  const start = performance.now();
  for (let lastExpiry = start; ;) {
    const open = await findOpenWork(context);
    if (open.length === 0) return;
    const now = performance.now();
    if (now - start > limitMs) return reportOpenWork(context, open);
    if (now - lastExpiry > timeoutMs) {
      await expireTimeouts(context);
      lastExpiry = performance.now();
    }
    await sleep(40);
  }
}

async function reportOpenWork({ processes, reportViolation }: LoadContext, open: string[]): Promise<void> {
  const connections = await processes.query<{ description: string }>(
    (sql) => sql`
      SELECT format('%s %s %s: %s', application_name, state, wait_event, left(query, 80)) AS description
      FROM pg_stat_activity WHERE datname = current_database()`,
  );
  reportViolation(`Still open after a minute: ${open.slice(0, 10).join(", ")}`);
  reportViolation(`Database connections: ${connections.map(({ description }) => description).join(", ")}`);
  reportViolation(`Log of the worker: ${processes.worker.process!.output().slice(-2000)}`);
}

async function findOpenWork({ processes }: LoadContext): Promise<string[]> {
  const rows = await processes.query<{ description: string }>(
    (sql) => sql`
      SELECT format('job %s %s (%s, attempt %s): %s', name, id, state, retry_count + 1, output) AS description FROM pgboss.job
      WHERE state IN ('created', 'retry', 'active') AND name NOT LIKE '\\_\\_%'
      UNION ALL
      SELECT format('synchronization %s (%s)', id, status) FROM bank_syncs WHERE status IN ('QUEUED', 'RUNNING')
      UNION ALL
      SELECT format('event %s of %s: %s', event_id, area, last_error) FROM webhook_deliveries WHERE status = 'PENDING'`,
  );
  return rows.map(({ description }) => description);
}

/**
 * The work of a killed process resumes after a heartbeat, lease or retry delay expires, which takes minutes. Instead of
 * waiting, this ages the timestamps of everything that has not been updated for some seconds. A live process must
 * tolerate that too.
 */
async function expireTimeouts({ processes }: LoadContext): Promise<void> {
  // A shifted clock may have left timestamps in the future.
  await processes.query(
    (sql) => sql`
      UPDATE idempotency_keys SET leased_until = now() - interval '1 second'
      WHERE output IS NULL AND leased_until NOT BETWEEN now() + interval '177 seconds' AND now() + interval '3 minutes'`,
  );
  const stale = await processes.query(
    (sql) => sql`
      UPDATE bank_syncs SET started_at = now() - interval '6 minutes',
        heartbeat_at = CASE status WHEN 'RUNNING' THEN now() - interval '6 minutes' END
      WHERE status IN ('QUEUED', 'RUNNING')
        AND coalesce(heartbeat_at, started_at) NOT BETWEEN now() - interval '3 seconds' AND now()
      RETURNING id`,
  );
  // The scheduled job that finds stale synchronizations runs every five minutes.
  if (stale.length > 0)
    await processes.query((sql) => sql`INSERT INTO pgboss.job (name) VALUES ('banking.schedule')`);
  await processes.query(
    (sql) => sql`
      UPDATE pgboss.job SET state = 'retry', start_after = now(),
        retry_count = retry_count + CASE state WHEN 'active' THEN 1 ELSE 0 END
      WHERE name NOT LIKE '\\_\\_%' AND (state = 'retry' AND start_after > now()
        OR state = 'active' AND coalesce(heartbeat_on, started_on) < now() - interval '3 seconds')`,
  );
  // Workers poll every ten seconds, or at once after a notification.
  await processes.query(
    (sql) => sql`
      SELECT pg_notify('pgboss_' || left(encode(sha224('pgboss'), 'hex'), 24), name)
      FROM pgboss.job WHERE state IN ('created', 'retry') GROUP BY name`,
  );
}
