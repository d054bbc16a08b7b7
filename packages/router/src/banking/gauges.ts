import type { DatabaseGauge } from "../platform/gauges.ts";

/** Bank connections by condition, and rows that no ledger takes. */
export const bankingGauges: DatabaseGauge[] = [
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
];
