import type { DatabaseGauge } from "../platform/gauges.ts";

/** Purchases that hold money. */
export const cardGauges: DatabaseGauge[] = [
  {
    name: "purser_card_holds",
    help: "Purchases that hold money: open, or overdue to be given back",
    labels: ["state"],
    ask: (client) => client`
      select case when expires_at < now() - interval '10 minutes' then 'overdue' else 'open' end as state,
        count(*)::int as value
      from card_transactions where status = 'PENDING' group by 1`,
  },
];
