import type { Platform } from "@purser/router";
import { Gauge, type Registry } from "prom-client";
import { databaseAnswers } from "./health.ts";
import { withinASecond } from "./patience.ts";

type Client = Platform["db"]["$client"];

interface Reading {
  name: string;
  help: string;
  /** The columns beside `value`. */
  labels: string[];
  /** Gives numbers of few groups, from an index or a small table: it runs whenever somebody reads the metrics. */
  ask: (client: Client) => PromiseLike<readonly object[]>;
}

/** What only the database knows. Each process tells the same, so alerts take the largest. */
const readings: Reading[] = [
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
  {
    name: "purser_bank_connections",
    help: "Bank connections by condition: healthy, failing or needs_person",
    labels: ["provider", "condition"],
    ask: (client) => client`
      select provider, count(*)::int as value,
        case when attention is not null then 'needs_person' when failures > 0 then 'failing' else 'healthy' end as condition
      from bank_connections where status = 'ACTIVE' group by 1, 3`,
  },
  {
    name: "purser_bank_quarantine",
    help: "What banks said that cannot be true, and what they left out, by reason",
    labels: ["reason"],
    ask: (client) => client`
      select lower(reason) as reason, count(*)::int as value from bank_quarantine group by 1`,
  },
  {
    name: "purser_card_holds",
    help: "Purchases that hold money: open, or overdue to be given back",
    labels: ["state"],
    ask: (client) => client`
      select case when expires_at < now() - interval '10 minutes' then 'overdue' else 'open' end as state,
        count(*)::int as value
      from card_transactions where status = 'PENDING' group by 1`,
  },
  {
    name: "purser_subscriptions",
    help: "Subscriptions by payment provider and status",
    labels: ["provider", "status"],
    ask: (client) => client`
      select coalesce(provider, 'manual') as provider, lower(status) as status, count(*)::int as value
      from subscriptions group by 1, 2`,
  },
];

/** Registers the gauges; what it gives reads them anew, to be called before they are told. */
export function registerGauges(registry: Registry, client: Client): () => Promise<void> {
  const registers = [registry];
  const up = new Gauge({
    name: "purser_database_up",
    help: "Whether the database answers within a second: 1 or 0",
    registers,
  });
  const gauges = readings.map(({ name, help, labels, ask }) => ({
    gauge: new Gauge({ name, help, labelNames: labels, registers }),
    labels,
    ask,
  }));
  return async () => {
    const until = performance.now() + 1000;
    // One after the other: whoever reads the metrics takes one connection from the requests, not all.
    let isUp = await databaseAnswers(client);
    up.set(isUp ? 1 : 0);
    for (const { gauge, labels, ask } of gauges) {
      gauge.reset();
      if (!isUp || performance.now() > until) continue;
      const rows = await withinASecond(ask(client), null);
      isUp = rows !== null;
      for (const row of (rows ?? []) as Row[])
        gauge.set(Object.fromEntries(labels.map((label) => [label, row[label]!])), row.value);
    }
  };
}

type Row = Record<string, string> & { value: number };
