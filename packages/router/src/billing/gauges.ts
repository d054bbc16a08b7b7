import type { DatabaseGauge } from "../platform/gauges.ts";

/** Subscriptions by provider and status. */
export const billingGauges: DatabaseGauge[] = [
  {
    name: "purser_subscriptions",
    help: "Subscriptions by payment provider and status",
    labels: ["provider", "status"],
    ask: (client) => client`
      select coalesce(provider, 'manual') as provider, lower(status) as status, count(*)::int as value
      from subscriptions group by 1, 2`,
  },
];
