import { setTimeout as sleep } from "node:timers/promises";
import type { Tenant } from "../ledger.ts";
import { readAll } from "../load/lists.ts";
import { mustTell } from "../load/purchases.ts";
import type { LoadContext } from "../world.ts";
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
export async function checkCards(world: LoadContext, tenant: Tenant): Promise<void> {
  const { organizationId, purchases } = tenant;
  await awaitWithdrawals(world, tenant);
  const rows = await readRows(world, organizationId);
  const found = new Map(rows.map((row) => [row.name, row]));
  // A late decision counts as declined for the network. It may still be recorded, and then it is a decline too.
  const expected = purchases.flatMap((purchase) => {
    if (purchase.reason !== "decision_timed_out") return [purchase];
    const late = found.get(purchase.name);
    return late ? [{ ...purchase, reason: late.reason }] : [];
  });
  compare(world, `${tenant.name}'s purchases`, rows.map(written), expected.map(written));
  for (const row of rows)
    if (row.counted !== row.held + row.cleared)
      world.complain(
        `${row.name} counts ${row.counted}, and holds and has cleared ${row.held} + ${row.cleared}`,
      );

  const listed = await readAll<{ id: string; description: string | null; status: string; amount: number }>(
    world,
    tenant,
    `/api/cards/transactions?organizationId=${organizationId}`,
  );
  // A refund has the description of its purchase.
  const bought = listed.filter(({ amount }) => amount >= 0);
  const shown = bought.map(({ description, status }) => `${description} ${status}`);
  compare(
    world,
    `${tenant.name}'s listed purchases`,
    shown,
    expected.map(({ name, status }) => `${name} ${status}`),
  );

  for (const [{ id, policy }, itsOwn] of Map.groupBy(purchases, ({ card }) => card)) {
    const spent = itsOwn.map(({ held, cleared }) => held + cleared);
    const isEach = policy.interval === "PER_TRANSACTION";
    const most = isEach ? Math.max(...spent) : spent.reduce((sum, one) => sum + one, 0);
    if (most > policy.limit)
      world.complain(
        `Of card ${id} was approved ${most}, and its limit is ${policy.limit} ${policy.interval}`,
      );
  }
  await checkCounters(world, organizationId);
}

/**
 * A server that refused a request for lateness soon reverses an approval that follows. If that server died first, the
 * network sends the reversal, as networks do after a missing response.
 */
async function awaitWithdrawals(world: LoadContext, tenant: Tenant): Promise<void> {
  const late = tenant.purchases.filter(({ lateAt }) => lateAt !== null);
  for (const until = performance.now() + 15_000; late.length > 0 && performance.now() < until;) {
    const rows = await readRows(world, tenant.organizationId);
    const held = new Map(rows.map((row) => [row.name, row.held]));
    const standing = late.filter((purchase) => (held.get(purchase.name) ?? 0) > purchase.held);
    if (standing.length === 0) return;
    for (const purchase of standing)
      if (purchase.lateAt! < world.processes.deaths)
        await mustTell(world, tenant, purchase, "reversal", {
          amount: held.get(purchase.name)! - purchase.held,
        });
    await sleep(200);
  }
}

function readRows({ processes }: LoadContext, organizationId: string): Promise<Row[]> {
  return processes.look<Row>(
    (sql) => sql`
      SELECT authorization_reference AS name, status, decline_reason AS reason, held::int, cleared::int, refunded::int,
        (SELECT sum(counted)::int FROM card_events event WHERE event.organization_id = bought.organization_id
          AND event.transaction_id = bought.id) AS counted
      FROM card_transactions bought
      WHERE organization_id = ${organizationId} AND authorization_reference IS NOT NULL`,
  );
}

const written = ({ name, status, reason, held, cleared, refunded }: Omit<Row, "counted">) =>
  `${name} ${status} ${reason}, holds ${held}, cleared ${cleared}, refunded ${refunded}`;

async function checkCounters({ processes, complain }: LoadContext, organizationId: string): Promise<void> {
  const wrong = await processes.look<{ what: string }>(
    (sql) => sql`
      WITH summed AS (
        SELECT event.card_id, period, sum(event.counted) AS used, CASE period
          WHEN 'DAY' THEN local_day WHEN 'WEEK' THEN date_trunc('week', local_day)::date
          ELSE date_trunc('month', local_day)::date END AS starts_on
        FROM card_events event
        JOIN card_transactions bought ON bought.organization_id = event.organization_id
          AND bought.id = event.transaction_id,
          (VALUES ('DAY'), ('WEEK'), ('MONTH')) periods (period)
        WHERE event.organization_id = ${organizationId}
        GROUP BY event.card_id, period, starts_on)
      SELECT format('The counter of %s for the %s from %s says %s, and its events %s', card_id, period, starts_on,
        counter.used, summed.used) AS what
      FROM summed
      FULL JOIN (SELECT * FROM card_counters WHERE organization_id = ${organizationId}) counter
        USING (card_id, period, starts_on)
      WHERE coalesce(counter.used, 0) <> coalesce(summed.used, 0)`,
  );
  for (const { what } of wrong) complain(what);
}
