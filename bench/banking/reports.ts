import postgres from "postgres";
import { percentiles } from "../calls.ts";
import { recordGoal, reportLine } from "../report.ts";
import { categories } from "./feed.ts";
import { type Linked, connectFeedBank, linkBank } from "./setup.ts";
import { line } from "../table.ts";

const transactions = 5_000_000;
const rounds = 60;
/** The goal for the 95th percentile of a report of two years. */
const goalMs = 100;

/** Reports two years of 5,000,000 transactions of one organization, in process. */
export async function bankReports(): Promise<void> {
  const linked = await linkBank(0);
  try {
    const { totals, accountIds } = await fill(linked);
    linked.purser.clock.set("2026-03-01T09:00:00Z");
    const { banking } = linked.purser.as(linked.owner);
    const { teamId } = linked;
    const range = { teamId, from: new Date("2024-03-01"), to: new Date("2026-03-01") };
    const accountId = accountIds[0]!;
    const calls: Record<string, () => Promise<unknown[]>> = {
      balances: () => banking.reports.balances(range),
      "balances of one account": () => banking.reports.balances({ ...range, accountId }),
      "cashflow by day": () => banking.reports.cashflow({ ...range, interval: "day" }),
      "cashflow by month": () => banking.reports.cashflow({ ...range, interval: "month" }),
      "cashflow by day and category": () =>
        banking.reports.cashflow({ ...range, interval: "day", groupBy: "category" }),
    };
    reportLine(
      `\nReports of two years over ${transactions.toLocaleString("en")} transactions of ${accountIds.length} accounts ` +
        `(${totals.toLocaleString("en")} daily totals), ${rounds} rounds\n`,
    );
    reportLine(line("", "items", "p50 ms", "p95", "most", "to reach"));
    for (const [name, call] of Object.entries(calls)) await measureReport(name, call);
  } finally {
    await linked.purser.close();
  }
}

async function measureReport(name: string, call: () => Promise<unknown[]>): Promise<void> {
  const items = (await call()).length;
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    await call();
    times.push(performance.now() - start);
  }
  const at = percentiles(times);
  const verdict = recordGoal({
    what: `A report of two years over ${transactions.toLocaleString("en")} transactions: ${name}`,
    measured: `p95 ${at(0.95).toFixed(0)} ms`,
    goal: `under ${goalMs} ms`,
    holds: at(0.95) < goalMs,
  });
  const figures = [at(0.5), at(0.95), at(1)].map((milliseconds) => milliseconds.toFixed(1));
  reportLine(line(name, String(items), ...figures, `${goalMs} ${verdict}`));
}

/** Fills nine accounts of three connections with two years of history and its totals. */
async function fill({ purser, owner, teamId, ...first }: Linked) {
  const others = [
    await connectFeedBank(purser, owner, teamId, "second"),
    await connectFeedBank(purser, owner, teamId, "third"),
  ];
  const accountIds = [first, ...others].flatMap((connection) => connection.accountIds);
  const sql = postgres(purser.platform.settings.databaseUrl!, { max: 1, onnotice: () => {} });
  await sql`
    INSERT INTO bank_transactions (organization_id, id, account_id, connection_id, external_id, status, amount,
      raw_amount, currency, type, description, transaction_date, category, created_at, updated_at)
    SELECT ${teamId}, 'btx_' || lpad(n::text, 26, '0'), account.id, account.connection_id, 'external-' || n, 'POSTED',
      100 + n * 7919::bigint % 99900, '1.00', 'GBP', CASE WHEN n % 200 = 0 THEN 'CREDIT' ELSE 'DEBIT' END,
      'Corner Coffee ' || n, date '2024-03-01' + (n * 730::bigint / ${transactions})::int,
      (${categories}::text[])[1 + n % ${categories.length}], now(), now()
    FROM generate_series(1, ${transactions}::int) AS n
    JOIN bank_accounts account ON account.organization_id = ${teamId}
      AND account.id = (${accountIds}::text[])[1 + n % ${accountIds.length}]`;
  const { count } = await sql`
    INSERT INTO bank_daily_totals (organization_id, by_category, day, account_id, currency, category, money_in, money_out)
    SELECT organization_id, grouping(category) = 0, transaction_date, account_id, currency, coalesce(category, ''),
      coalesce(sum(amount) FILTER (WHERE type = 'CREDIT'), 0), coalesce(sum(amount) FILTER (WHERE type = 'DEBIT'), 0)
    FROM bank_transactions WHERE organization_id = ${teamId}
    GROUP BY organization_id, transaction_date, account_id, currency, GROUPING SETS ((category), ())`;
  // What autovacuum does, which would otherwise begin during the first calls.
  await sql`VACUUM ANALYZE bank_daily_totals, bank_transactions`;
  await sql.end();
  return { totals: count, accountIds };
}
