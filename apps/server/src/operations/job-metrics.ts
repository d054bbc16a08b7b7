import type { Platform } from "@purser/router";
import { Gauge, type Registry } from "prom-client";
import { withinASecond } from "./patience.ts";

type Client = Platform["db"]["$client"];

/** Work that has not been done, by its state: what waits for long, or is dead, is an operator's business. */
export function registerJobMetrics(registry: Registry, client: Client): void {
  counted(registry, {
    name: "purser_jobs",
    help: "Jobs of the outbox that are not done: waiting, running, retrying or dead",
    labels: ["job", "state"],
    count: () => client`
      select name as job, count(*)::int as count,
        case state::text when 'created' then 'waiting' when 'retry' then 'retrying' when 'active' then 'running' else 'dead' end as state
      from pgboss.job where state::text <> 'completed' and name not like '\\_\\_%' group by 1, 3`,
  });
  counted(registry, {
    name: "purser_webhooks",
    help: "Webhook events that are not applied: pending or dead",
    labels: ["area", "provider", "status"],
    count: () => client`
      select area, provider, lower(status) as status, count(*)::int as count
      from webhook_deliveries where status in ('PENDING', 'DEAD') group by 1, 2, 3`,
  });
}

type Row = Record<string, string> & { count: number };

interface Counted {
  name: string;
  help: string;
  labels: string[];
  count: () => PromiseLike<readonly object[]>;
}

function counted(registry: Registry, { name, help, labels, count }: Counted): void {
  new Gauge({
    name,
    help,
    labelNames: labels,
    registers: [registry],
    async collect() {
      this.reset();
      // Without the database the other figures are needed more than ever.
      const rows = await withinASecond(count(), []);
      for (const row of rows as Row[])
        this.set(Object.fromEntries(labels.map((label) => [label, row[label]!])), row.count);
    },
  });
}
