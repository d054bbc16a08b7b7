import { type Executor, type Transaction, eventDeliveries, webhookEndpoints } from "@purser/db";
import { and, count, desc, eq, lt, sql } from "drizzle-orm";

/** What seals a secret: the column that holds it. */
export const secretColumn = webhookEndpoints.secret;
export const previousSecretColumn = webhookEndpoints.previousSecret;

interface EndpointId {
  organizationId: string;
  id: string;
}

const endpointColumns = {
  id: webhookEndpoints.id,
  organizationId: webhookEndpoints.organizationId,
  url: webhookEndpoints.url,
  types: webhookEndpoints.types,
  description: webhookEndpoints.description,
  status: webhookEndpoints.status,
  disabledReason: webhookEndpoints.disabledReason,
  createdAt: webhookEndpoints.createdAt,
};

const thisEndpoint = ({ organizationId, id }: EndpointId) =>
  and(eq(webhookEndpoints.organizationId, organizationId), eq(webhookEndpoints.id, id));

/** Returns an endpoint by its id, before its organization is known. */
export async function findWebhookEndpointById(db: Executor, id: string) {
  const [endpoint] = await db
    .select(endpointColumns)
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.id, id));
  return endpoint;
}

export async function findWebhookEndpoint(db: Executor, endpoint: EndpointId) {
  const [found] = await db.select(endpointColumns).from(webhookEndpoints).where(thisEndpoint(endpoint));
  return found;
}

/** Returns an endpoint that no other transaction changes or sends to until this one ends. */
export async function lockWebhookEndpoint(transaction: Transaction, endpoint: EndpointId) {
  const [found] = await transaction
    .select({ ...endpointColumns, secret: webhookEndpoints.secret })
    .from(webhookEndpoints)
    .where(thisEndpoint(endpoint))
    .for("update");
  return found;
}

/** Lists the endpoints of an organization, newest first. */
export function listWebhookEndpointRows(
  db: Executor,
  organizationId: string,
  after: string | undefined,
  rows: number,
) {
  return db
    .select(endpointColumns)
    .from(webhookEndpoints)
    .where(
      and(
        eq(webhookEndpoints.organizationId, organizationId),
        after ? lt(webhookEndpoints.id, after) : undefined,
      ),
    )
    .orderBy(desc(webhookEndpoints.id))
    .limit(rows);
}

export async function countWebhookEndpoints(db: Executor, organizationId: string): Promise<number> {
  const [row] = await db
    .select({ endpoints: count() })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.organizationId, organizationId));
  return row?.endpoints ?? 0;
}

/** Adds an endpoint. It reads the feed from this transaction on. */
export async function insertWebhookEndpoint(
  transaction: Transaction,
  endpoint: Omit<typeof webhookEndpoints.$inferInsert, "transactionId" | "recordedAt" | "eventId">,
): Promise<void> {
  await transaction.insert(webhookEndpoints).values({ ...endpoint, eventId: "" });
}

type EndpointChange = Partial<
  Pick<
    typeof webhookEndpoints.$inferInsert,
    "url" | "types" | "description" | "secret" | "previousSecret" | "previousSecretUntil"
  >
>;

export async function updateWebhookEndpointRow(
  transaction: Transaction,
  endpoint: EndpointId,
  change: EndpointChange,
) {
  const [updated] = await transaction
    .update(webhookEndpoints)
    .set(change)
    .where(thisEndpoint(endpoint))
    .returning(endpointColumns);
  return updated!;
}

/** Lets an endpoint read the feed from this transaction on. What happened before is behind it. */
export async function enableEndpointRow(transaction: Transaction, endpoint: EndpointId, era: number) {
  const [enabled] = await transaction
    .update(webhookEndpoints)
    .set({
      status: "ENABLED",
      disabledReason: null,
      failingSince: null,
      failedAt: null,
      era,
      transactionId: sql`pg_current_xact_id()`,
      recordedAt: 0,
      eventId: "",
    })
    .where(thisEndpoint(endpoint))
    .returning(endpointColumns);
  return enabled!;
}

/** Disables an endpoint. `dueAt` lets the worker go on where more deliveries are to be given up. */
export async function disableEndpointRow(
  transaction: Transaction,
  endpoint: EndpointId,
  { reason, dueAt }: { reason: string; dueAt: Date | null },
) {
  const [disabled] = await transaction
    .update(webhookEndpoints)
    .set({ status: "DISABLED", disabledReason: reason, dueAt })
    .where(thisEndpoint(endpoint))
    .returning(endpointColumns);
  return disabled!;
}

/** Lets a worker take up the endpoint now. */
export async function wakeEndpoint(transaction: Transaction, endpoint: EndpointId, now: Date): Promise<void> {
  await transaction.update(webhookEndpoints).set({ dueAt: now }).where(thisEndpoint(endpoint));
}

export async function deleteWebhookEndpointRow(
  transaction: Transaction,
  endpoint: EndpointId,
): Promise<void> {
  await transaction.delete(webhookEndpoints).where(thisEndpoint(endpoint));
}

/** Deletes the endpoints of an organization, and what was not delivered yet. */
export async function deleteEndpointsOf(transaction: Transaction, organizationId: string): Promise<void> {
  await transaction.delete(webhookEndpoints).where(eq(webhookEndpoints.organizationId, organizationId));
  await transaction
    .delete(eventDeliveries)
    .where(and(eq(eventDeliveries.organizationId, organizationId), eq(eventDeliveries.status, "PENDING")));
}
