import { setTimeout as sleep } from "node:timers/promises";
import type { Tenant } from "../acknowledged-state.ts";
import { readAll } from "../load/lists.ts";
import { isUncertain, sendAcceptedMessage } from "../load/purchases.ts";
import type { LoadContext } from "../load-context.ts";
import { compare } from "./organizations.ts";

interface Row {
  name: string;
  status: string;
  reason: string | null;
  held: number;
  cleared: number;
  refunded: number;
  counted: number;
}

/** Every purchase has the state that the network acknowledged, once. Limits hold. Counters equal the sums of events. */
export async function checkCards(context: LoadContext, tenant: Tenant): Promise<void> {
  const { organizationId, purchases } = tenant;
  await awaitWithdrawals(context, tenant);
  const rows = await readRows(context, organizationId);
  const found = new Map(rows.map((row) => [row.name, row]));
  // A late decision counts as declined for the network. It may still be recorded, and then it is a decline too.
  const expected = purchases.flatMap((purchase) => {
    const late = found.get(purchase.name);
    // The withdrawal of a late increment completes a purchase whose hold has been cleared.
    if (isUncertain(purchase)) return [{ ...purchase, status: late?.status ?? purchase.status }];
    if (purchase.reason !== "decision_timed_out") return [purchase];
    return late ? [{ ...purchase, reason: late.reason }] : [];
  });
  compare(context, `${tenant.name}'s purchases`, rows.map(describe), expected.map(describe));
  for (const row of rows)
    if (row.counted !== row.held + row.cleared)
      context.reportViolation(
        `${row.name} counts ${row.counted} toward limits, and its hold and clearings are ${row.held} + ${row.cleared}`,
      );

  const listed = await readAll<{ id: string; description: string | null; status: string; amount: number }>(
    context,
    tenant,
    `/api/cards/transactions?organizationId=${organizationId}`,
  );
  // A refund has the description of its purchase.
  const purchaseItems = listed.filter(({ amount }) => amount >= 0);
  const shown = purchaseItems.map(({ description, status }) => `${description} ${status}`);
  compare(
    context,
    `${tenant.name}'s listed purchases`,
    shown,
    expected.map(({ name, status }) => `${name} ${status}`),
  );

  for (const [{ id, policy }, purchasesOfCard] of Map.groupBy(purchases, ({ card }) => card)) {
    const spent = purchasesOfCard.map(({ held, cleared }) => held + cleared);
    const isEach = policy.interval === "PER_TRANSACTION";
    const used = isEach ? Math.max(...spent) : spent.reduce((sum, amount) => sum + amount, 0);
    if (used > policy.limit)
      context.reportViolation(
        `Card ${id} was approved for ${used} under a limit of ${policy.limit} ${policy.interval}`,
      );
  }
  await checkCounters(context, organizationId);
}

const withdrawalLimitMs = 15_000;

/**
 * A server that responds late declines, and soon reverses an approval that was stored after all. If the server is killed
 * first, the network sends the reversal, as networks do after a missing response.
 */
async function awaitWithdrawals(context: LoadContext, tenant: Tenant): Promise<void> {
  const late = tenant.purchases.filter(({ lateAt }) => lateAt !== null);
  const until = performance.now() + withdrawalLimitMs * context.processes.timeoutFactor;
  while (late.length > 0 && performance.now() < until) {
    const rows = await readRows(context, tenant.organizationId);
    const held = new Map(rows.map((row) => [row.name, row.held]));
    const unreversed = late.filter((purchase) => (held.get(purchase.name) ?? 0) > purchase.held);
    if (unreversed.length === 0) return;
    for (const purchase of unreversed)
      if (purchase.lateAt! < context.processes.kills)
        await sendAcceptedMessage(context, tenant, purchase, "reversal", {
          amount: held.get(purchase.name)! - purchase.held,
        });
    await sleep(200);
  }
}

function readRows({ processes }: LoadContext, organizationId: string): Promise<Row[]> {
  return processes.query<Row>(
    (sql) => sql`
      SELECT authorization_reference AS name, status, decline_reason AS reason, held::int, cleared::int, refunded::int,
        (SELECT sum(counted)::int FROM card_events event WHERE event.organization_id = purchase.organization_id
          AND event.transaction_id = purchase.id) AS counted
      FROM card_transactions purchase
      WHERE organization_id = ${organizationId} AND authorization_reference IS NOT NULL`,
  );
}

const describe = ({ name, status, reason, held, cleared, refunded }: Omit<Row, "counted">) =>
  `${name} ${status} ${reason}, holds ${held}, cleared ${cleared}, refunded ${refunded}`;

async function checkCounters(
  { processes, reportViolation }: LoadContext,
  organizationId: string,
): Promise<void> {
  const wrong = await processes.query<{ description: string }>(
    (sql) => sql`
      WITH summed AS (
        SELECT event.card_id, period, sum(event.counted) AS used, CASE period
          WHEN 'DAY' THEN local_day WHEN 'WEEK' THEN date_trunc('week', local_day)::date
          ELSE date_trunc('month', local_day)::date END AS starts_on
        FROM card_events event
        JOIN card_transactions purchase ON purchase.organization_id = event.organization_id
          AND purchase.id = event.transaction_id,
          (VALUES ('DAY'), ('WEEK'), ('MONTH')) periods (period)
        WHERE event.organization_id = ${organizationId}
        GROUP BY event.card_id, period, starts_on)
      SELECT format('The counter of card %s for the %s from %s is %s, and its events sum to %s', card_id, period, starts_on,
        counter.used, summed.used) AS description
      FROM summed
      FULL JOIN (SELECT * FROM card_counters WHERE organization_id = ${organizationId}) counter
        USING (card_id, period, starts_on)
      WHERE coalesce(counter.used, 0) <> coalesce(summed.used, 0)`,
  );
  for (const { description } of wrong) reportViolation(description);
}
