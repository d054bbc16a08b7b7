import { randomUUID } from "node:crypto";
import {
  type Executor,
  type TenantKey,
  type Transaction,
  eraOnServer,
  findInAnyOrganization,
  hasKey,
  webhookEndpoints,
} from "@purser/db";
import { eventTransactionId } from "@purser/platform/events";
import { and, count, desc, eq, lt, sql } from "drizzle-orm";

/** What seals a secret: the column that holds it. */
export const secretColumn = webhookEndpoints.secret;
export const previousSecretColumn = webhookEndpoints.previousSecret;

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

/** The columns that hold the secrets of an endpoint, all sealed. */
export const secretColumns = {
  secret: webhookEndpoints.secret,
  previousSecret: webhookEndpoints.previousSecret,
  previousSecretUntil: webhookEndpoints.previousSecretUntil,
};

export type EndpointSecrets = Pick<typeof webhookEndpoints.$inferSelect, keyof typeof secretColumns>;

/** Returns an endpoint by its id, before its organization is known. */
export async function findWebhookEndpointById(db: Executor, id: string) {
  const [endpoint] = await findInAnyOrganization(db, (any) =>
    any.select(endpointColumns).from(webhookEndpoints).where(eq(webhookEndpoints.id, id)),
  );
  return endpoint;
}

export async function findWebhookEndpoint(db: Executor, endpoint: TenantKey) {
  const [found] = await db
    .select(endpointColumns)
    .from(webhookEndpoints)
    .where(hasKey(webhookEndpoints, endpoint));
  return found;
}

/** Returns an endpoint that no other transaction changes or sends to until this one ends. */
export async function lockWebhookEndpoint(transaction: Transaction, endpoint: TenantKey) {
  const [found] = await transaction
    .select({ ...endpointColumns, secrets: secretColumns })
    .from(webhookEndpoints)
    .where(hasKey(webhookEndpoints, endpoint))
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

/** Adds an endpoint. It reads the feed after all that was committed before. The transaction holds its locks. */
export async function insertWebhookEndpoint(
  transaction: Transaction,
  {
    eraBase,
    ...endpoint
  }: Omit<typeof webhookEndpoints.$inferInsert, "era" | "transactionId" | "recordedAt" | "eventId"> & {
    eraBase: number;
  },
): Promise<void> {
  await transaction.insert(webhookEndpoints).values({ ...endpoint, era: eraFrom(eraBase), eventId: "" });
}

const eraFrom = (base: number) => sql.raw(eraOnServer(String(base)));

type EndpointChange = Partial<
  Pick<
    typeof webhookEndpoints.$inferInsert,
    "url" | "types" | "description" | "secret" | "previousSecret" | "previousSecretUntil"
  >
> &
  Partial<ReturnType<typeof resetFailures>>;

/**
 * For an endpoint about which earlier attempts say nothing. A claim on it is void, because of what is still being sent; the
 * next claim waits until its time is over.
 */
export const resetFailures = () => ({
  failingSince: null,
  failedAt: null,
  lease: sql`CASE WHEN ${webhookEndpoints.lease} IS NOT NULL THEN ${randomUUID()}::text END`,
});

export async function updateWebhookEndpointRow(
  transaction: Transaction,
  endpoint: TenantKey,
  change: EndpointChange,
) {
  const [updated] = await transaction
    .update(webhookEndpoints)
    .set(change)
    .where(hasKey(webhookEndpoints, endpoint))
    .returning(endpointColumns);
  return updated!;
}

/** Lets an endpoint read the feed after all that was committed before. The transaction holds its locks. */
export async function enableEndpointRow(transaction: Transaction, endpoint: TenantKey, eraBase: number) {
  // A separate statement, because Citus refuses an update with volatile functions. There, a trigger sets the position.
  const [position] = await transaction.execute<{ transactionId: string; recordedAt: number }>(sql`
    SELECT ${eventTransactionId}::text AS "transactionId",
      (date_part('epoch', clock_timestamp()) * 1000000)::bigint::float8 AS "recordedAt"`);
  const [enabled] = await transaction
    .update(webhookEndpoints)
    .set({
      status: "ENABLED",
      disabledReason: null,
      ...resetFailures(),
      ...position!,
      era: eraFrom(eraBase),
      eventId: "",
    })
    .where(hasKey(webhookEndpoints, endpoint))
    .returning(endpointColumns);
  return enabled!;
}

/** Disables an endpoint. `dueAt` lets the worker go on where more deliveries are to be given up. */
export async function disableEndpointRow(
  transaction: Transaction,
  endpoint: TenantKey,
  { reason, dueAt }: { reason: string; dueAt: Date | null },
) {
  const [disabled] = await transaction
    .update(webhookEndpoints)
    .set({ status: "DISABLED", disabledReason: reason, dueAt })
    .where(hasKey(webhookEndpoints, endpoint))
    .returning(endpointColumns);
  return disabled!;
}

/** Lets a worker take up the endpoint now. */
export async function wakeEndpoint(transaction: Transaction, endpoint: TenantKey, now: Date): Promise<void> {
  await transaction.update(webhookEndpoints).set({ dueAt: now }).where(hasKey(webhookEndpoints, endpoint));
}

export async function deleteWebhookEndpointRow(transaction: Transaction, endpoint: TenantKey): Promise<void> {
  await transaction.delete(webhookEndpoints).where(hasKey(webhookEndpoints, endpoint));
}

/** Deletes the endpoints of an organization. Housekeeping gives up what is pending: there may be very much of it. */
export async function deleteEndpointsOf(transaction: Transaction, organizationId: string): Promise<void> {
  await transaction.delete(webhookEndpoints).where(eq(webhookEndpoints.organizationId, organizationId));
}
