import {
  type Executor,
  type Transaction,
  eventDeliveries,
  searchAllOrganizations,
  webhookEndpoints,
} from "@purser/db";
import { sql } from "drizzle-orm";

/** The times at which a delivery is tried again, by the attempts so far. */
export type TimesByAttempts = readonly Date[];

/** An array of times in SQL. Its first item, which has the index 1, is of no attempts. */
const timeOf = (times: TimesByAttempts, tries: ReturnType<typeof sql.raw>) => {
  const texts = times.map((time) => time.toISOString());
  return sql`(${sql.param(texts)}::text[]::timestamptz[])[least(${tries}, ${times.length - 1}::int) + 1]`;
};

/**
 * Finds the endpoints that nothing is sent to, and whose next delivery waits beyond its latest time. Looks at no other deliveries:
 * an endpoint may have very many.
 */
export function findOverlongWaits(
  db: Executor,
  latest: TimesByAttempts,
): Promise<{ organizationId: string; id: string }[]> {
  const search = sql`
    SELECT organization_id AS "organizationId", id FROM ${webhookEndpoints} AS endpoint
    WHERE lease IS NULL AND status = 'ENABLED' AND due_at > ${latest[0]!.toISOString()}::timestamptz AND (
      SELECT next_attempt_at > ${timeOf(latest, sql.raw("tries"))} FROM ${eventDeliveries} AS delivery
      WHERE delivery.organization_id = endpoint.organization_id AND delivery.endpoint_id = endpoint.id
        AND delivery.status = 'PENDING' ORDER BY next_attempt_at LIMIT 1)`;
  return searchAllOrganizations(db, async (all) => [
    ...(await all.execute<{ organizationId: string; id: string }>(search)),
  ]);
}

/** How many deliveries one statement changes. A dead endpoint may have very many. */
const shortenAtOnce = 5000;

/**
 * Has the deliveries of an endpoint that wait beyond their latest time tried again after the usual wait, those first that would come
 * first. Returns whether there may be more: then call it again, in another transaction. Leaves an endpoint alone that is sent to.
 */
export async function shortenWaitsOf(
  transaction: Transaction,
  { organizationId, id }: { organizationId: string; id: string },
  { latest, usual }: Record<"latest" | "usual", TimesByAttempts>,
): Promise<boolean> {
  const locked = await transaction.execute(sql`
    SELECT FROM ${webhookEndpoints} WHERE organization_id = ${organizationId} AND id = ${id} AND lease IS NULL
    FOR UPDATE SKIP LOCKED`);
  if (locked.length === 0) return false;
  const tries = sql.raw("tries");
  const { count } = await transaction.execute(sql`
    UPDATE ${eventDeliveries} SET next_attempt_at = ${timeOf(usual, tries)}
    WHERE organization_id = ${organizationId} AND status = 'PENDING' AND id IN (
      SELECT id FROM ${eventDeliveries}
      WHERE organization_id = ${organizationId} AND endpoint_id = ${id} AND status = 'PENDING'
        AND next_attempt_at > ${timeOf(latest, tries)}
      ORDER BY next_attempt_at LIMIT ${shortenAtOnce}::int)`);
  await transaction.execute(sql`
    UPDATE ${webhookEndpoints} AS endpoint SET due_at = (
      SELECT next_attempt_at FROM ${eventDeliveries} AS delivery
      WHERE delivery.organization_id = ${organizationId} AND delivery.endpoint_id = ${id} AND delivery.status = 'PENDING'
      ORDER BY next_attempt_at LIMIT 1)
    WHERE organization_id = ${organizationId} AND id = ${id}`);
  return count === shortenAtOnce;
}
