import type { LoadContext } from "../load-context.ts";

/** Every subscription has the provider's state, and every payment has its subscription. */
export async function checkBilling({ processes, state, reportViolation }: LoadContext): Promise<void> {
  const wrong = await processes.query<{ description: string }>(
    (sql) => sql`
      SELECT format('Subscription %s is %s in Purser and %s at the provider', coalesce(stored.id, provided.id), stored, provided) AS description
      FROM (SELECT id, organization_id, raw_status AS status, plan_id, variant_id, current_period_start,
          current_period_end, canceled_at, cancel_at_period_end FROM subscriptions) stored
      FULL JOIN (SELECT id, organization_id, status, plan_id, variant_id, current_period_start,
          current_period_end, canceled_at, cancel_at_period_end FROM local_subscriptions) provided
        ON stored.organization_id = provided.organization_id AND stored.id = provided.id
      WHERE stored.* IS DISTINCT FROM provided.*
      UNION ALL
      SELECT format('Subscription %s is %s in Purser and %s at the provider', id, stored.status, provided.status)
      FROM subscriptions stored JOIN local_subscriptions provided USING (organization_id, id)
      WHERE stored.status <> CASE provided.status WHEN 'trialing' THEN 'ACTIVE' ELSE upper(provided.status) END
      UNION ALL
      SELECT format('Subscription %s has started %s times', subscriptions.id, count(audit.id))
      FROM subscriptions LEFT JOIN audit_entries audit ON audit.organization_id = subscriptions.organization_id
        AND audit.subject = subscriptions.id AND audit.details ->> 'change' = 'started'
      GROUP BY subscriptions.id HAVING count(audit.id) <> 1`,
  );
  for (const { description } of wrong) reportViolation(description);

  const subscriptions = await processes.query<{ id: string; count: number }>(
    (sql) => sql`SELECT organization_id AS id, count(*)::int FROM subscriptions GROUP BY 1`,
  );
  const counts = new Map(subscriptions.map(({ id, count }) => [id, count]));
  for (const { organizationId, isPaid } of state.tenants.flatMap(({ teams }) => teams)) {
    const count = counts.get(organizationId) ?? 0;
    if (count !== (isPaid ? 1 : 0))
      reportViolation(`${organizationId} has ${isPaid ? "paid" : "not paid"} and has ${count} subscriptions`);
  }
}
