import type { EventType } from "@purser/core";
import {
  type Executor,
  type Transaction,
  events,
  searchAllOrganizations,
  webhookEndpoints,
} from "@purser/db";
import { latestLeaseEnd } from "@purser/platform";
import { and, eq, sql } from "drizzle-orm";
import type { FeedPosition } from "../../feed/position.ts";
import { countWebhookEndpoints } from "../../webhook-endpoints/store.ts";

/**
 * Finds organizations whose endpoints are due, or have a claim that has ended or is too long (`latestLeaseEnd`). The ones that
 * have waited longest come first. `isDegraded` if all that is due there is failing or slow: these come last.
 */
export async function findDueOrganizations(
  db: Executor,
  { now, slowIds, limit }: { now: Date; slowIds: readonly string[]; limit: number },
): Promise<{ id: string; isDegraded: boolean }[]> {
  const [time, latest] = [now.toISOString(), latestLeaseEnd(now).toISOString()];
  const search = sql`
    SELECT organization_id AS id, bool_and(is_degraded) AS "isDegraded" FROM (
      SELECT organization_id, due_at, failing_since IS NOT NULL OR id = ANY(${sql.param(slowIds)}::text[]) AS is_degraded
      FROM ${webhookEndpoints} WHERE due_at <= ${time}::timestamptz AND lease IS NULL
      UNION ALL
      SELECT organization_id, leased_until, failing_since IS NOT NULL OR id = ANY(${sql.param(slowIds)}::text[])
      FROM ${webhookEndpoints} WHERE leased_until <= ${time}::timestamptz OR leased_until > ${latest}::timestamptz
    ) AS due GROUP BY organization_id ORDER BY bool_and(is_degraded), min(due_at) LIMIT ${limit}::int`;
  return searchAllOrganizations(db, async (all) => [
    ...(await all.execute<{ id: string; isDegraded: boolean }>(search)),
  ]);
}

/** Finds organizations with events after the position of an enabled endpoint. One look into the feed's index for each. */
export async function findUnreadOrganizations(db: Executor): Promise<string[]> {
  const search = sql`
    SELECT DISTINCT organization_id AS id FROM ${webhookEndpoints} AS endpoint
    WHERE status = 'ENABLED' AND EXISTS (
      SELECT FROM ${events} AS event WHERE event.organization_id = endpoint.organization_id
        AND (event.era, event.transaction_id, event.recorded_at, event.id)
          > (endpoint.era, endpoint.transaction_id, endpoint.recorded_at, endpoint.event_id))`;
  const found = await searchAllOrganizations(db, async (all) => [
    ...(await all.execute<{ id: string }>(search)),
  ]);
  return found.map(({ id }) => id);
}

/** Returns those of the organizations that have an endpoint. */
export async function filterHavingEndpoints(
  db: Executor,
  organizationIds: readonly string[],
): Promise<string[]> {
  const found = await db.execute<{ id: string }>(sql`
    SELECT DISTINCT organization_id AS id FROM ${webhookEndpoints}
    WHERE organization_id = ANY(${sql.param(organizationIds)}::text[])`);
  return found.map(({ id }) => id);
}

/** What a claim reads of an endpoint, and writes back. */
export interface EndpointState extends Omit<FeedPosition, "id"> {
  id: string;
  eventId: string;
  isEnabled: boolean;
  isFailing: boolean;
  types: string[];
  dueAt: Date | null;
  lease: string | null;
  leasedUntil: Date | null;
}

type EndpointStateRow = Omit<EndpointState, "dueAt" | "leasedUntil"> & {
  dueAt: string | null;
  leasedUntil: string | null;
  total: number;
};

/**
 * Locks the endpoints of an organization that no other transaction holds. `isComplete` is false if another one holds some:
 * it changes them, or reads the feed for them.
 */
export async function lockEndpoints(
  transaction: Transaction,
  organizationId: string,
): Promise<{ endpoints: EndpointState[]; isComplete: boolean }> {
  const found = await transaction.execute<EndpointStateRow>(sql`
    SELECT id, era, transaction_id::text AS "transactionId", recorded_at::float8 AS "recordedAt", event_id AS "eventId",
      types, lease,
      status = 'ENABLED' AS "isEnabled", failing_since IS NOT NULL AS "isFailing",
      to_json(due_at) AS "dueAt", to_json(leased_until) AS "leasedUntil",
      (SELECT count(*)::int FROM ${webhookEndpoints} WHERE organization_id = ${organizationId}) AS total
    FROM ${webhookEndpoints} WHERE organization_id = ${organizationId}
    ORDER BY id FOR UPDATE SKIP LOCKED`);
  const endpoints = found.map(({ dueAt, leasedUntil, ...endpoint }) => ({
    ...endpoint,
    dueAt: dueAt === null ? null : new Date(dueAt),
    leasedUntil: leasedUntil === null ? null : new Date(leasedUntil),
  }));
  // No row says how many there are if there are none, or other transactions hold all of them.
  const total = found[0]?.total ?? (await countWebhookEndpoints(transaction, organizationId));
  return { endpoints, isComplete: found.length === total };
}

/** An event of the feed, without its data. */
export interface UnreadEvent extends Pick<FeedPosition, keyof FeedPosition> {
  type: EventType;
  /** Whether no event can appear before it any more. All settled events come first. */
  isSettled: boolean;
}

type UnreadEventRow = Pick<UnreadEvent, keyof UnreadEvent>;

/** Reads the next events of a feed, with the first ones that are not settled. See `scanFeed`. */
export async function readUnreadEvents(
  transaction: Transaction,
  organizationId: string,
  { after, firstEra, limit }: { after: FeedPosition; firstEra: number; limit: number },
): Promise<UnreadEvent[]> {
  const found = await transaction.execute<UnreadEventRow>(sql`
    SELECT id, era, transaction_id::text AS "transactionId", recorded_at::float8 AS "recordedAt", type,
      era < ${firstEra}::int OR transaction_id < (SELECT feed_horizon()) AS "isSettled"
    FROM ${events} WHERE organization_id = ${organizationId}
      AND (era, transaction_id, recorded_at, id)
        > (${after.era}::int, ${after.transactionId}::xid8, ${after.recordedAt}::bigint, ${after.id})
    ORDER BY era, transaction_id, recorded_at, id LIMIT ${limit}::int`);
  return [...found];
}

/** Stores the position, the claim and the due time of endpoints that this transaction has locked. */
export async function storeEndpointStates(
  transaction: Transaction,
  organizationId: string,
  states: readonly EndpointState[],
): Promise<void> {
  if (states.length === 0) return;
  const rows = states.map((state) => ({
    id: state.id,
    era: state.era,
    transaction_id: state.transactionId,
    recorded_at: state.recordedAt,
    event_id: state.eventId,
    due_at: state.dueAt,
    lease: state.lease,
    leased_until: state.leasedUntil,
  }));
  await transaction.execute(sql`
    UPDATE ${webhookEndpoints} AS endpoint SET era = new.era, transaction_id = new.transaction_id,
      recorded_at = new.recorded_at, event_id = new.event_id, due_at = new.due_at, lease = new.lease, leased_until = new.leased_until
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS new (id text, era int, transaction_id xid8,
      recorded_at bigint, event_id text, due_at timestamptz, lease text, leased_until timestamptz)
    WHERE endpoint.organization_id = ${organizationId} AND endpoint.id = new.id`);
}

/** A claim on an endpoint. */
export interface EndpointLease {
  organizationId: string;
  id: string;
  lease: string;
}

/** Locks an enabled endpoint by a claim on it. Returns undefined if the claim is lost, or void since the endpoint was enabled. */
export async function lockClaimedEndpoint(
  transaction: Transaction,
  { organizationId, id, lease }: EndpointLease,
): Promise<{ url: string; failingSince: Date | null } | undefined> {
  const [found] = await transaction
    .select({ url: webhookEndpoints.url, failingSince: webhookEndpoints.failingSince })
    .from(webhookEndpoints)
    .where(
      and(
        eq(webhookEndpoints.organizationId, organizationId),
        eq(webhookEndpoints.id, id),
        eq(webhookEndpoints.lease, lease),
        eq(webhookEndpoints.status, "ENABLED"),
      ),
    )
    .for("update");
  return found;
}

/**
 * Extends claims in one organization. Returns the ids of the endpoints whose claim is lost. An endpoint that another
 * transaction holds is neither extended nor lost: the next renewal comes before the claim ends. A renewal that another one
 * has overtaken shortens no claim.
 */
export async function renewLeases(
  db: Executor,
  organizationId: string,
  leases: readonly EndpointLease[],
  leasedUntil: Date,
): Promise<{ renewed: string[]; lost: string[] }> {
  const wanted = JSON.stringify(leases.map(({ id, lease }) => ({ id, lease })));
  const extended = await db.execute<{ id: string }>(sql`
    WITH free AS (
      SELECT endpoint.id FROM ${webhookEndpoints} AS endpoint
        JOIN json_to_recordset(${wanted}::json) AS wanted (id text, lease text)
          ON wanted.id = endpoint.id AND wanted.lease = endpoint.lease
      WHERE endpoint.organization_id = ${organizationId} FOR UPDATE OF endpoint SKIP LOCKED
    )
    UPDATE ${webhookEndpoints} AS endpoint
      SET leased_until = greatest(leased_until, ${leasedUntil.toISOString()}::timestamptz)
    FROM free WHERE endpoint.organization_id = ${organizationId} AND endpoint.id = free.id
    RETURNING endpoint.id`);
  const renewed = extended.map(({ id }) => id);
  if (renewed.length === leases.length) return { renewed, lost: [] };
  const held = await db.execute<{ id: string }>(sql`
    SELECT endpoint.id FROM ${webhookEndpoints} AS endpoint
      JOIN json_to_recordset(${wanted}::json) AS wanted (id text, lease text)
        ON wanted.id = endpoint.id AND wanted.lease = endpoint.lease
    WHERE endpoint.organization_id = ${organizationId}`);
  const still = new Set(held.map(({ id }) => id));
  return {
    renewed,
    lost: leases.map(({ id }) => id).filter((id) => !still.has(id)),
  };
}
