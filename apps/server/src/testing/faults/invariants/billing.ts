import type { LoadContext } from "../world.ts";

/** Every subscription has the provider's state, and every payment has its subscription. */
export async function checkBilling({ processes, ledger, complain }: LoadContext): Promise<void> {
  const wrong = await processes.look<{ what: string }>(
    (sql) => sql`
      SELECT format('Subscription %s is here %s, and at its provider %s', coalesce(ours.id, theirs.id), ours, theirs) AS what
      FROM (SELECT id, organization_id, raw_status AS status, plan_id, variant_id, current_period_start,
          current_period_end, canceled_at, cancel_at_period_end FROM subscriptions) ours
      FULL JOIN (SELECT id, organization_id, status, plan_id, variant_id, current_period_start,
          current_period_end, canceled_at, cancel_at_period_end FROM local_subscriptions) theirs ON ours.id = theirs.id
      WHERE ours.* IS DISTINCT FROM theirs.*
      UNION ALL
      SELECT format('Subscription %s is %s here, and %s at its provider', id, ours.status, theirs.status)
      FROM subscriptions ours JOIN local_subscriptions theirs USING (id)
      WHERE ours.status <> CASE theirs.status WHEN 'trialing' THEN 'ACTIVE' ELSE upper(theirs.status) END
      UNION ALL
      SELECT format('Subscription %s has started %s times', subscriptions.id, count(audit.id))
      FROM subscriptions LEFT JOIN audit_entries audit ON audit.organization_id = subscriptions.organization_id
        AND audit.subject = subscriptions.id AND audit.details ->> 'change' = 'started'
      GROUP BY subscriptions.id HAVING count(audit.id) <> 1`,
  );
  for (const { what } of wrong) complain(what);

  const sold = await processes.look<{ id: string; count: number }>(
    (sql) => sql`SELECT organization_id AS id, count(*)::int FROM subscriptions GROUP BY 1`,
  );
  const counts = new Map(sold.map(({ id, count }) => [id, count]));
  for (const { organizationId, isPaid } of ledger.tenants.flatMap(({ teams }) => teams)) {
    const count = counts.get(organizationId) ?? 0;
    if (count !== (isPaid ? 1 : 0))
      complain(`${organizationId} has ${isPaid ? "paid" : "not paid"}, and has ${count} subscriptions`);
  }
}
