import { setTimeout as sleep } from "node:timers/promises";
import type { ServiceProcess } from "@purser/testing/process";
import type { LoadContext } from "../load-context.ts";
import type { Instance, ProcessSupervisor } from "../process-supervisor.ts";

/**
 * Waits until the load has its responses and no work is open: no idempotency key in progress, no synchronization, no job,
 * no unapplied webhook event, no unread event or unsent webhook, no claim on an endpoint, no lock, no connection of a pool in
 * use. That may take 30 seconds of real time after the last fault and the end of the load.
 */
export async function checkSettled(context: SettlingContext, load: Promise<void>): Promise<void> {
  const { processes } = context;
  // Its last steps leave work too. The load's own limit reports a request that gets no response.
  await load;
  const since = Math.max(processes.faultEndedAt, performance.now());
  const idlePools = new Set<string>();
  for (;;) {
    const open = await findOpenWork(context);
    if (open.length === 0) open.push(...(await findBusyPools(processes.instances, idlePools)));
    if (open.length === 0) return;
    if (performance.now() > since + processes.settleLimitMs) return reportOpenWork(context, open);
    await sleep(100);
  }
}

/** What can be asked about the database. */
interface Queried {
  processes: Pick<ProcessSupervisor, "query"> & { nodes: object | null };
}

/** What it takes to see whether work is open, and what. */
interface SettlingContext extends Pick<LoadContext, "reportViolation"> {
  processes: Queried["processes"] &
    Pick<ProcessSupervisor, "faultEndedAt" | "settleLimitMs"> & {
      instances: readonly Pick<Instance, "name" | "port">[];
      worker: { process: Pick<ServiceProcess, "output"> | null };
    };
}

async function reportOpenWork(
  { processes, reportViolation }: SettlingContext,
  open: string[],
): Promise<void> {
  // A transaction of any database of the server holds up events.
  const connections = await processes.query<{ description: string }>(
    (sql) => sql`
      SELECT format('%s %s %s (transaction %s, since %s): %s', coalesce(nullif(application_name, ''), backend_type), state,
        wait_event, backend_xid, date_trunc('second', now() - xact_start), left(query, 80)) AS description
      FROM pg_stat_activity WHERE backend_xid IS NOT NULL
        OR datname = current_database() AND application_name <> 'faults' AND state <> 'idle'`,
  );
  reportViolation(
    `Still open ${processes.settleLimitMs / 1000} s after the last fault and the load: ${open.slice(0, 10).join(", ")}`,
  );
  reportViolation(`Busy connections: ${connections.map(({ description }) => description).join(", ")}`);
  reportViolation(`Log of the worker: ${processes.worker.process!.output().slice(-2000)}`);
}

/** A process that does not answer by then is asked again. */
const metricsMs = 5000;

/**
 * Describes the connection pools that were in use at every look so far. `idle` holds those that were not: jobs, events and
 * readiness are looked for all the time, so the pools of all processes are seldom idle at the same moment.
 */
export async function findBusyPools(
  processes: readonly Pick<Instance, "name" | "port">[],
  idle: Set<string>,
): Promise<string[]> {
  const found = await Promise.all(
    processes.map(async ({ name, port }) => {
      const metrics = await fetch(`http://127.0.0.1:${port}/metrics`, {
        signal: AbortSignal.timeout(metricsMs),
      })
        .then((response) => response.text())
        .catch(String);
      const gauge = (metric: string) =>
        new Map([...metrics.matchAll(new RegExp(`^${metric}\\{pool="(.+)"\\} (\\d+)$`, "gm"))].map(valueOf));
      const waiting = gauge("purser_database_waiting");
      const inUse = [...gauge("purser_database_connections_in_use")];
      // Without any, the metric has another name now.
      if (inUse.length === 0) return [`pools of ${name}, which shows none`];
      return inUse.flatMap(([pool, count]) => {
        const described = `pool ${pool} of ${name}`;
        if (count === 0 && waiting.get(pool) === 0) idle.add(described);
        return idle.has(described) ? [] : [`${described}: ${count} in use, ${waiting.get(pool)} waiting`];
      });
    }),
  );
  return found.flat();
}

const valueOf = ([, pool = "", value]: RegExpExecArray): [string, number] => [pool, Number(value)];

/** Describes everything that is open. */
export async function findOpenWork({ processes }: Queried): Promise<string[]> {
  const rows = await processes.query<{ description: string }>(
    (sql) => sql`
      SELECT format('job %s %s (%s, attempt %s, since %s): %s', name, id, state, retry_count + 1,
        date_trunc('second', now() - coalesce(started_on, created_on)), output) AS description FROM pgboss.job
      WHERE state IN ('created', 'retry', 'active') AND name NOT LIKE '\\_\\_%'
      UNION ALL
      SELECT format('synchronization %s (%s, since %s)', id, status, date_trunc('second', now() - started_at))
      FROM bank_syncs WHERE status IN ('QUEUED', 'RUNNING')
      UNION ALL
      SELECT format('event %s of %s: %s', event_id, area, last_error) FROM webhook_deliveries WHERE status = 'PENDING'
      UNION ALL
      SELECT format('webhook of event %s, attempt %s in %s, after %s', event_id, tries + 1,
        date_trunc('second', next_attempt_at - now()), attempts -> -1) FROM event_deliveries WHERE status = 'PENDING'
      UNION ALL
      SELECT format('claim on webhook endpoint %s, until %s', id, date_trunc('second', leased_until))
      FROM webhook_endpoints WHERE lease IS NOT NULL
      UNION ALL
      SELECT format('event %s, not read for webhook endpoint %s since %s', events.id, endpoint.id,
        date_trunc('second', now() - events.created_at))
      FROM webhook_endpoints AS endpoint JOIN events USING (organization_id)
      WHERE endpoint.status = 'ENABLED' AND (events.era, events.transaction_id, events.recorded_at, events.id)
        > (endpoint.era, endpoint.transaction_id, endpoint.recorded_at, endpoint.event_id)
      UNION ALL
      SELECT format('idempotency key of %s, in progress since %s', procedure,
        date_trunc('second', now() - created_at)) FROM idempotency_keys
      WHERE output IS NULL AND (result_in IS NULL OR result_leased_until > now())
      UNION ALL
      SELECT format('job %s of %s, not in the queue since %s', name, organization_id, date_trunc('second', now() - created_at))
      FROM outbox_jobs
      UNION ALL
      SELECT format('transaction of %s, idle since %s: %s', application_name,
        date_trunc('second', now() - state_change), left(query, 80)) FROM pg_stat_activity
      WHERE datname = current_database() AND state LIKE 'idle in transaction%' AND state_change < now() - interval '1 second'
      UNION ALL
      SELECT format('advisory lock of %s', application_name) FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE locktype = 'advisory' AND datname = current_database() AND xact_start < now() - interval '1 second'
      UNION ALL
      SELECT format('%s lock of %s, since %s: %s', min(locktype), application_name,
        date_trunc('second', now() - xact_start), left(query, 80)) FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE locktype IN ('relation', 'tuple', 'transactionid') AND datname = current_database() AND state = 'active'
        AND backend_type = 'client backend' AND application_name <> 'faults'
        AND xact_start < now() - interval '1 second'
      GROUP BY pid, application_name, xact_start, query`,
  );
  const onNodes = processes.nodes === null ? [] : await findOpenOnNodes(processes);
  return [...rows.map(({ description }) => description), ...onNodes];
}

/** Describes what is open on the nodes of a Citus cluster: transactions that wait for the coordinator, locked or prepared. */
async function findOpenOnNodes(processes: Pick<ProcessSupervisor, "query">): Promise<string[]> {
  const nodes = await processes.query<{ port: number; result: string | null }>(
    (sql) => sql`
      SELECT nodeport AS port, result FROM run_command_on_workers($$
        SELECT string_agg(description, ', ') FROM (
          SELECT format('prepared commit %s, since %s', gid, date_trunc('second', now() - prepared)) AS description
          FROM pg_prepared_xacts WHERE database = current_database() AND prepared < now() - interval '1 second'
          UNION ALL
          SELECT format('transaction of %s, %s since %s: %s', application_name, state, date_trunc('second', now() - xact_start),
            left(query, 80)) FROM pg_stat_activity
          WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
            AND state <> 'idle' AND xact_start < now() - interval '1 second'
        ) open $$)`,
  );
  return nodes.flatMap(({ port, result }) => (result ? [`on the node at ${port}: ${result}`] : []));
}
