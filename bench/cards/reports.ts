import { cardTasks } from "@purser/cards";
import { cardSpendingGroups, firstIdAt } from "@purser/core";
import { percentiles } from "../calls.ts";
import { reportLine, recordGoal } from "../report.ts";
import { issueCards } from "./setup.ts";
import { line } from "../table.ts";

const transactions = 5_000_000;
const rounds = 60;
/** The goal for the 95th percentile of a report of two years. */
const goalMs = 100;
const lastDay = "2026-03-01";

/** Reports two years of 5,000,000 card transactions of one organization, in process, after the hourly task. */
export async function cardReports(): Promise<void> {
  const issued = await issueCards(100);
  try {
    const { purser, owner, organizationId } = issued;
    purser.clock.set(`${lastDay}T09:00:00Z`);
    await fill(issued);
    const start = performance.now();
    for (const task of cardTasks(purser.platform)) await task();
    const rollUpSeconds = (performance.now() - start) / 1000;
    reportLine(
      `\nSpending of two years over ${transactions.toLocaleString("en")} card transactions, ${rounds} rounds; ` +
        `${rollUpSeconds.toFixed(0)} s to add up all days once\n`,
    );
    reportLine(line("", "items", "p50 ms", "p95", "most", "to reach"));
    for (const groupBy of cardSpendingGroups) {
      const range = { organizationId, from: new Date("2024-03-01"), to: new Date(lastDay) };
      const call = () => purser.as(owner).cards.reports.spending({ ...range, groupBy });
      const items = await call();
      const count = items.reduce((sum, item) => sum + item.count + item.declinedCount, 0);
      if (count !== transactions) throw new Error(`It reports ${count} purchases`);
      const times: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const began = performance.now();
        await call();
        times.push(performance.now() - began);
      }
      const at = percentiles(times);
      const verdict = recordGoal({
        what: `Spending of two years over ${transactions.toLocaleString("en")} card transactions by ${groupBy}`,
        measured: `p95 ${at(0.95).toFixed(0)} ms`,
        goal: `under ${goalMs} ms`,
        holds: at(0.95) < goalMs,
      });
      const figures = [at(0.5), at(0.95), at(1)].map((milliseconds) => milliseconds.toFixed(1));
      reportLine(line(`by ${groupBy}`, String(items.length), ...figures, `${goalMs} ${verdict}`));
    }
  } finally {
    await issued.close();
  }
}

type Issued = Awaited<ReturnType<typeof issueCards>>;

/** Spreads the transactions evenly over two years. All but those of the last week are final. */
async function fill({ sql, organizationId, cardIds }: Issued): Promise<void> {
  const days = 731;
  const start = Date.parse(lastDay) - (days - 1) * 86_400_000;
  const step = (days * 86_400_000 - 15 * 60 * 60 * 1000) / transactions;
  for (let first = 0; first < transactions; first += 50_000) {
    const times = Array.from({ length: 50_000 }, (_, index) => Math.floor(start + (first + index) * step));
    const rows = times.map((time) => [firstIdAt("ctx", new Date(time)), new Date(time).toISOString()]);
    await sql`
      INSERT INTO card_transactions (organization_id, id, card_id, status, amount, currency, merchant_name, merchant_id,
        merchant_category, merchant_country, channel, authorized, held, cleared, refunded, purchased_at, local_day,
        created_at, settled_at, decline_reason)
      SELECT ${organizationId}, item->>0, (${cardIds}::text[])[1 + n % ${cardIds.length}],
        CASE WHEN n % 20 = 0 THEN 'DECLINED' WHEN at > ${lastDay}::timestamptz - interval '6 days' THEN 'PENDING' ELSE 'COMPLETED' END,
        amount, 'GBP', 'Shop ' || n % 500, 'acceptor-' || n % 500, (ARRAY['5411', '5814', '4511', '5734', '6011'])[1 + n % 5],
        'GB', 'online', CASE WHEN n % 20 = 0 THEN 0 ELSE amount END, 0, 0, 0, at, at::date, at,
        CASE WHEN n % 20 <> 0 AND at <= ${lastDay}::timestamptz - interval '6 days' THEN at END,
        CASE WHEN n % 20 = 0 THEN 'daily_limit_exceeded' END
      FROM json_array_elements(${JSON.stringify(rows)}::text::json) WITH ORDINALITY AS each(item, position),
        LATERAL (SELECT ${first}::int + position AS n, (item->>1)::timestamptz AS at) AS placed,
        LATERAL (SELECT 100 + n * 7919 % 20000 AS amount) AS priced`;
  }
  await sql`VACUUM ANALYZE card_transactions`;
}
