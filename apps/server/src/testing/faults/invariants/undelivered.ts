import type { ProcessSupervisor } from "../process-supervisor.ts";

const shownEvents = 5;

/** Describes where webhooks that have not arrived are: the endpoints, and the first of the events with their deliveries. */
export async function describeUndelivered(
  processes: Pick<ProcessSupervisor, "query">,
  organizationId: string,
  eventIds: readonly string[],
): Promise<string[]> {
  const endpoints = await processes.query<{ id: string }>(
    (sql) => sql`
      SELECT id, status, disabled_reason AS "disabledReason", created_at AS "createdAt", era,
        transaction_id::text AS "transactionId", event_id AS "eventId", due_at AS "dueAt",
        leased_until AS "leasedUntil", failing_since AS "failingSince", now(),
        feed_horizon()::text AS "oldestTransactionId"
      FROM webhook_endpoints WHERE organization_id = ${organizationId}`,
  );
  const events = await processes.query<{ id: string }>(
    (sql) => sql`
      SELECT event.id, event.type, event.created_at AS "createdAt", event.era,
        event.transaction_id::text AS "transactionId",
        (event.era, event.transaction_id, event.recorded_at, event.id)
          <= (endpoint.era, endpoint.transaction_id, endpoint.recorded_at, endpoint.event_id) AS "isRead",
        delivery.status, delivery.tries, delivery.next_attempt_at AS "nextAttemptAt",
        delivery.attempts -> -1 AS "lastAttempt"
      FROM events AS event JOIN webhook_endpoints AS endpoint USING (organization_id)
      LEFT JOIN event_deliveries AS delivery ON delivery.organization_id = event.organization_id
        AND delivery.endpoint_id = endpoint.id AND delivery.event_id = event.id
      WHERE event.organization_id = ${organizationId} AND event.id = ANY (${[...eventIds]})
      ORDER BY event.era, event.transaction_id, event.recorded_at, event.id LIMIT ${shownEvents}`,
  );
  return [
    ...endpoints.map((endpoint) => `Webhook endpoint ${JSON.stringify(endpoint)}`),
    ...events.map((event) => `Not received: ${JSON.stringify(event)}`),
  ];
}
