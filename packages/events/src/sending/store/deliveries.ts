import { addMs, dayMs } from "@purser/core";
import {
  type Executor,
  type StoredDeliveryAttempt,
  type Transaction,
  eventDeliveries,
  events,
  webhookEndpoints,
} from "@purser/db";
import { and, asc, eq, getTableColumns, inArray, lte, sql } from "drizzle-orm";
import { dataIf, isWithinOctets } from "../../store.ts";
import { secretColumns } from "../../webhook-endpoints/store.ts";
import type { EndpointLease } from "./claims.ts";

export interface NewDelivery {
  id: string;
  endpointId: string;
  eventId: string;
  eventType: string;
}

/** Adds deliveries that are due now. An endpoint gets an event once, whatever happened to its position. */
export async function insertDeliveries(
  transaction: Transaction,
  organizationId: string,
  deliveries: readonly NewDelivery[],
  now: Date,
): Promise<void> {
  if (deliveries.length === 0) return;
  const rows = deliveries.map((row) => [row.id, row.endpointId, row.eventId, row.eventType]);
  const time = now.toISOString();
  await transaction.execute(sql`
    INSERT INTO ${eventDeliveries}
      (organization_id, id, endpoint_id, event_id, event_type, status, next_attempt_at, created_at)
    SELECT ${organizationId}, new ->> 0, new ->> 1, new ->> 2, new ->> 3, 'PENDING', ${time}::timestamptz, ${time}::timestamptz
    FROM json_array_elements(${JSON.stringify(rows)}::json) AS new
    ON CONFLICT (organization_id, endpoint_id, event_id) DO NOTHING`);
}

/** Stops loading after the event that reaches this size. Smaller than a page, because a process serves many endpoints. */
const loadedOctets = 512 * 1024;

/**
 * Loads the due deliveries of claimed endpoints of one organization, at most `limit` each, the one that has waited longest
 * first. The address and the secrets are those of now. An endpoint whose claim is lost or that is disabled has none. If the
 * events are large, the data of the last ones are not loaded.
 */
export function loadDueDeliveries(
  db: Executor,
  organizationId: string,
  { leases, now, limit }: { leases: readonly string[]; now: Date; limit: number },
) {
  const due = db
    .select()
    .from(eventDeliveries)
    .where(
      and(
        eq(eventDeliveries.organizationId, organizationId),
        eq(eventDeliveries.endpointId, webhookEndpoints.id),
        eq(eventDeliveries.status, "PENDING"),
        lte(eventDeliveries.nextAttemptAt, now),
      ),
    )
    .orderBy(asc(eventDeliveries.nextAttemptAt), asc(eventDeliveries.id))
    .limit(limit)
    .as("due");
  const waiting = [asc(due.endpointId), asc(due.nextAttemptAt), asc(due.id)];
  const isLoaded = isWithinOctets(
    loadedOctets,
    events.data,
    sql`PARTITION BY ${due.endpointId} ORDER BY ${due.nextAttemptAt}, ${due.id}`,
  );
  return db
    .select({
      endpoint: {
        lease: webhookEndpoints.lease,
        url: webhookEndpoints.url,
        ...secretColumns,
      },
      delivery: {
        organizationId: due.organizationId,
        id: due.id,
        endpointId: due.endpointId,
        eventId: due.eventId,
        attemptCount: due.tries,
        dueAt: due.nextAttemptAt,
        testBody: due.testBody,
        eventType: due.eventType,
        createdAt: due.createdAt,
      },
      // Null where `isLoaded` is false. A session sends no such delivery.
      event: { ...getTableColumns(events), data: sql<string>`${dataIf(isLoaded, events.data)}` },
      isLoaded,
    })
    .from(webhookEndpoints)
    .innerJoinLateral(due, sql`true`)
    .leftJoin(events, and(eq(events.organizationId, organizationId), eq(events.id, due.eventId)))
    .where(
      and(
        eq(webhookEndpoints.organizationId, organizationId),
        inArray(webhookEndpoints.lease, [...leases]),
        eq(webhookEndpoints.status, "ENABLED"),
      ),
    )
    .orderBy(...waiting);
}

export type DueDelivery = Awaited<ReturnType<typeof loadDueDeliveries>>[number];

/** What an attempt changes. */
export interface AttemptResult {
  id: string;
  endpointId: string;
  /** When the attempt was due, as loaded. The delivery has another time once a result is stored or it is sent again. */
  dueAt: Date | null;
  status: "PENDING" | "DELIVERED" | "FAILED";
  nextAttemptAt: Date | null;
  /** Null if nothing was sent: then none is counted. */
  attempt: StoredDeliveryAttempt | null;
}

const keptAttempts = 50;

/** Stores the results of attempts. One that is stored already, or that a new schedule has overtaken, changes nothing. */
export async function storeAttempts(
  transaction: Transaction,
  organization: string,
  results: readonly AttemptResult[],
): Promise<void> {
  if (results.length === 0) return;
  const rows = results.map((result) => ({
    id: result.id,
    due_at: result.dueAt,
    status: result.status,
    next_attempt_at: result.nextAttemptAt,
    attempts: result.attempt === null ? [] : [result.attempt],
  }));
  await transaction.execute(sql`
    UPDATE ${eventDeliveries} AS delivery SET status = new.status, next_attempt_at = new.next_attempt_at,
      tries = delivery.tries + jsonb_array_length(new.attempts),
      attempts = CASE WHEN jsonb_array_length(delivery.attempts) < ${keptAttempts}::int THEN delivery.attempts
        ELSE delivery.attempts - 0 END || new.attempts
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS new (id text, due_at timestamptz, status text,
      next_attempt_at timestamptz, attempts jsonb)
    WHERE delivery.organization_id = ${organization} AND delivery.id = new.id
      AND delivery.status = 'PENDING' AND delivery.next_attempt_at = new.due_at`);
}

/** What the attempts at an endpoint say about it, and whether its claim ends. */
export interface EndpointOutcome extends EndpointLease {
  /** Null if nothing was attempted. */
  hasSucceeded: boolean | null;
  isReleased: boolean;
}

const seriesEndsAfterMs = 2 * dayMs;

/**
 * Stores whether endpoints are failing, and ends claims. A due time that was set during the claim stays. What is still due is due
 * now, however old it is: the endpoint has had its turn, and a long backlog must not come before those that wait for
 * theirs. After two days without an attempt, a failure starts a new series. Returns the endpoints whose claim was still held.
 */
export async function storeEndpointOutcomes(
  transaction: Transaction,
  organization: string,
  outcomes: readonly EndpointOutcome[],
  now: Date,
): Promise<{ id: string; failingSince: Date | null; dueAt: Date | null }[]> {
  if (outcomes.length === 0) return [];
  const rows = outcomes.map((outcome) => ({
    id: outcome.id,
    lease: outcome.lease,
    succeeded: outcome.hasSucceeded,
    released: outcome.isReleased,
  }));
  const time = sql`${now.toISOString()}::timestamptz`;
  // Not by the database: the result depends on its time zone, and Citus allows no such functions in a CASE.
  const lastOfSeries = addMs(now, -seriesEndsAfterMs).toISOString();
  const stored = await transaction.execute<{
    id: string;
    failingSince: string | null;
    dueAt: string | null;
  }>(sql`
    UPDATE ${webhookEndpoints} AS endpoint SET
      failing_since = CASE WHEN new.succeeded THEN NULL WHEN new.succeeded IS NULL THEN failing_since
        WHEN failed_at > ${lastOfSeries}::timestamptz THEN coalesce(failing_since, ${time}) ELSE ${time} END,
      failed_at = CASE WHEN new.succeeded THEN NULL WHEN new.succeeded IS NULL THEN failed_at ELSE ${time} END,
      lease = CASE WHEN new.released THEN NULL ELSE endpoint.lease END,
      leased_until = CASE WHEN new.released THEN NULL ELSE leased_until END,
      due_at = CASE WHEN new.released THEN least(due_at, (
        SELECT greatest(next_attempt_at, ${time}) FROM ${eventDeliveries} AS delivery
        WHERE delivery.organization_id = ${organization} AND delivery.endpoint_id = endpoint.id
          AND delivery.status = 'PENDING' ORDER BY next_attempt_at LIMIT 1)) ELSE due_at END
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS new (id text, lease text, succeeded boolean, released boolean)
    WHERE endpoint.organization_id = ${organization} AND endpoint.id = new.id AND endpoint.lease = new.lease
    RETURNING endpoint.id, failing_since AS "failingSince", due_at AS "dueAt"`);
  return stored.map((row) => ({
    id: row.id,
    failingSince: row.failingSince === null ? null : new Date(row.failingSince),
    dueAt: row.dueAt === null ? null : new Date(row.dueAt),
  }));
}
