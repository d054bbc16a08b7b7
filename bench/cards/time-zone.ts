import { reportLine, recordGoal } from "../report.ts";
import { type Issued, issueCards, startBuying } from "./setup.ts";

const cardCount = 1000;
const purchases = 1_000_000;
const buyers = 8;

/** Changes the time zone of an organization with many recent purchases while others are made. None may be refused. */
export async function timeZone(): Promise<void> {
  const issued = await issueCards(cardCount);
  try {
    await addRecentPurchases(issued);
    const { purser, owner, organizationId: id, sql } = issued;
    const { stop } = startBuying(issued, buyers);
    const start = performance.now();
    const seconds = () => ((performance.now() - start) / 1000).toFixed(2);
    await purser.as(owner).organizations.settings.update({ id, timeZone: "America/Los_Angeles" });
    const answered = seconds();
    await purser.drain();
    const recounted = seconds();
    // It throws if a purchase was refused.
    const decided = await stop();
    const [left] =
      await sql`SELECT count(*)::int AS count FROM cards WHERE time_zone <> 'America/Los_Angeles'`;
    if (left!.count !== 0) throw new Error(`${left!.count} cards were not recounted`);
    const what = `Changing the time zone of ${cardCount.toLocaleString("en")} cards with ${purchases.toLocaleString("en")} purchases`;
    const verdict = recordGoal({
      what: `${what}: refused purchases`,
      measured: `0 of ${decided}`,
      goal: "none",
      holds: decided > 0,
    });
    reportLine(`\n${what}, while ${buyers} buyers make others\n`);
    reportLine(`answered after ${answered} s, all cards recounted after ${recounted} s`);
    reportLine(`purchases meanwhile: ${decided}, all approved: ${verdict}`);
  } finally {
    await issued.close();
  }
}

/** Spreads purchases over the last 65 days, and counts them. */
async function addRecentPurchases({ sql, organizationId, cardIds }: Issued): Promise<void> {
  await sql`
    INSERT INTO card_transactions (organization_id, id, card_id, status, amount, currency, merchant_name, channel,
      authorized, held, cleared, refunded, purchased_at, local_day, created_at, settled_at)
    SELECT ${organizationId}, 'ctx_' || lpad(n::text, 26, '0'), (${cardIds}::text[])[1 + n % ${cardIds.length}],
      'COMPLETED', 100, 'GBP', 'Shop', 'online', 100, 0, 100, 0, at, at::date, at, at
    FROM generate_series(1, ${purchases}::int) AS n,
      LATERAL (SELECT date_trunc('second', now()) - n * interval '5.6 seconds' AS at) AS placed`;
  await sql`
    INSERT INTO card_counters (organization_id, card_id, period, starts_on, used)
    SELECT organization_id, card_id, period, starts_on::date, sum(amount)
    FROM card_transactions, LATERAL (SELECT local_day::timestamp AS day) AS days,
      LATERAL (VALUES ('DAY', day), ('WEEK', date_trunc('week', day)), ('MONTH', date_trunc('month', day)))
        AS started (period, starts_on)
    GROUP BY 1, 2, 3, 4`;
  await sql`VACUUM ANALYZE`;
}
