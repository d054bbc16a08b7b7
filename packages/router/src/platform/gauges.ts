import type { Database } from "@purser/db";

/** A metric that only the database knows. Each process reports the same value, so alerts take the largest. */
export interface DatabaseGauge {
  name: string;
  help: string;
  /** The columns beside `value`. */
  labels: string[];
  /** Reads few groups from an index or a small table: it runs at every scrape. */
  ask: (client: Database["$client"]) => PromiseLike<readonly object[]>;
}

/** Jobs and webhooks that are not done. */
export const platformGauges: DatabaseGauge[] = [
  {
    name: "purser_jobs",
    help: "Jobs of the outbox that are not done: waiting, running, retrying or dead",
    labels: ["job_name", "state"],
    ask: (client) => client`
      select name as job_name, count(*)::int as value,
        case state::text when 'created' then 'waiting' when 'retry' then 'retrying' when 'active' then 'running' else 'dead' end as state
      from pgboss.job where state::text <> 'completed' and name not like '\\_\\_%' group by 1, 3`,
  },
  {
    name: "purser_job_delay_seconds",
    help: "For how long the oldest job that is due has been waiting for a worker",
    labels: ["job_name"],
    ask: (client) => client`
      select name as job_name, extract(epoch from now() - min(start_after))::float8 as value
      from pgboss.job where state < 'active' and start_after <= now() and name not like '\\_\\_%' group by 1`,
  },
  {
    name: "purser_webhooks",
    help: "Webhook events that are not applied: pending or dead",
    labels: ["area", "provider", "status"],
    ask: (client) => client`
      select area, provider, lower(status) as status, count(*)::int as value
      from webhook_deliveries where status in ('PENDING', 'DEAD') group by 1, 2, 3`,
  },
];
