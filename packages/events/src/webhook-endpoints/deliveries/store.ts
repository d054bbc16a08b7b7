import type { webhookDeliveryStatuses } from "@purser/core";
import {
  type Database,
  type Executor,
  type TenantKey,
  type Transaction,
  deleteInBatches,
  eventDeliveries,
  findInAnyOrganization,
  hasKey,
  webhookEndpoints,
} from "@purser/db";
import { and, asc, desc, eq, inArray, lt, sql } from "drizzle-orm";

/** What seals the body of a test event: the column that holds it. */
export const testBodyColumn = eventDeliveries.testBody;

const deliveryColumns = {
  id: eventDeliveries.id,
  organizationId: eventDeliveries.organizationId,
  endpointId: eventDeliveries.endpointId,
  eventId: eventDeliveries.eventId,
  eventType: eventDeliveries.eventType,
  status: eventDeliveries.status,
  attempts: eventDeliveries.attempts,
  nextAttemptAt: eventDeliveries.nextAttemptAt,
  createdAt: eventDeliveries.createdAt,
};

export type DeliveryRow = Pick<typeof eventDeliveries.$inferSelect, keyof typeof deliveryColumns>;

/** Returns a delivery by its id, before its organization is known. */
export async function findWebhookDeliveryById(
  db: Executor,
  id: string,
): Promise<(TenantKey & { endpointId: string }) | undefined> {
  const { organizationId, endpointId } = eventDeliveries;
  const [delivery] = await findInAnyOrganization(db, (any) =>
    any
      .select({ organizationId, id: eventDeliveries.id, endpointId })
      .from(eventDeliveries)
      .where(eq(eventDeliveries.id, id)),
  );
  return delivery;
}

export async function findDeliveryRow(db: Executor, delivery: TenantKey): Promise<DeliveryRow | undefined> {
  const [row] = await db
    .select(deliveryColumns)
    .from(eventDeliveries)
    .where(hasKey(eventDeliveries, delivery));
  return row;
}

interface DeliveryFilter {
  organizationId: string;
  endpointId?: string | undefined;
  status?: (typeof webhookDeliveryStatuses)[number] | undefined;
}

/** Lists deliveries, newest first. */
export function listDeliveryRows(
  db: Executor,
  { organizationId, endpointId, status }: DeliveryFilter,
  after: string | undefined,
  rows: number,
): Promise<DeliveryRow[]> {
  return db
    .select(deliveryColumns)
    .from(eventDeliveries)
    .where(
      and(
        eq(eventDeliveries.organizationId, organizationId),
        endpointId === undefined ? undefined : eq(eventDeliveries.endpointId, endpointId),
        status === undefined ? undefined : eq(eventDeliveries.status, status),
        after ? lt(eventDeliveries.id, after) : undefined,
      ),
    )
    .orderBy(desc(eventDeliveries.id))
    .limit(rows);
}

export async function insertDelivery(
  transaction: Transaction,
  delivery: typeof eventDeliveries.$inferInsert,
): Promise<DeliveryRow> {
  const [inserted] = await transaction.insert(eventDeliveries).values(delivery).returning(deliveryColumns);
  return inserted!;
}

/** Puts a delivery at the start of its schedule. Returns undefined if it has been deleted. */
export async function restartDelivery(
  transaction: Transaction,
  delivery: TenantKey,
  now: Date,
): Promise<DeliveryRow | undefined> {
  const [restarted] = await transaction
    .update(eventDeliveries)
    .set({ status: "PENDING", tries: 0, nextAttemptAt: now })
    .where(hasKey(eventDeliveries, delivery))
    .returning(deliveryColumns);
  return restarted;
}

/** How many deliveries one statement gives up. A dead endpoint may have very many. */
const failAtOnce = 5000;

/**
 * Gives up deliveries that are pending at an endpoint, the oldest first. Returns whether there may be more: then call it
 * again, in another transaction.
 */
export async function failPendingDeliveries(
  transaction: Transaction,
  { organizationId, endpointId }: { organizationId: string; endpointId: string },
): Promise<boolean> {
  const isPending = and(
    eq(eventDeliveries.organizationId, organizationId),
    eq(eventDeliveries.endpointId, endpointId),
    eq(eventDeliveries.status, "PENDING"),
  );
  const some = transaction
    .select({ id: eventDeliveries.id })
    .from(eventDeliveries)
    .where(isPending)
    .orderBy(asc(eventDeliveries.nextAttemptAt))
    .limit(failAtOnce);
  const { count } = await transaction
    .update(eventDeliveries)
    .set({ status: "FAILED", nextAttemptAt: null })
    .where(and(isPending, inArray(eventDeliveries.id, some)));
  return count === failAtOnce;
}

/**
 * Gives up what is pending at endpoints that were deleted with their organization, or while they had very many pending
 * deliveries.
 */
export async function failDeliveriesOfNoEndpoint(db: Database): Promise<void> {
  for (;;) {
    // An attempt may settle a delivery after it was chosen, so the status is checked again (see `deleteBatch`).
    const { count } = await db.execute(sql`
      UPDATE ${eventDeliveries} SET status = 'FAILED', next_attempt_at = NULL
      WHERE coalesce(status = 'PENDING', false) AND (organization_id, id) IN (
        SELECT delivery.organization_id, delivery.id FROM ${eventDeliveries} AS delivery
          LEFT JOIN ${webhookEndpoints} AS endpoint
            ON endpoint.organization_id = delivery.organization_id AND endpoint.id = delivery.endpoint_id
        WHERE delivery.status = 'PENDING' AND endpoint.id IS NULL LIMIT ${failAtOnce}::int)`);
    if (count < failAtOnce) return;
  }
}

/** Deletes the deliveries that were created before this time. */
export function deleteDeliveriesBefore(db: Database, time: Date): Promise<number> {
  return deleteInBatches(db, eventDeliveries, lt(eventDeliveries.createdAt, time));
}
