import { webhookDeliveryStatuses, webhookEndpointStatuses } from "@purser/core";
import { sql } from "drizzle-orm";
import {
  bigint,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
} from "drizzle-orm/pg-core";
import { id, instant, isOneOf, sealed, transactionId } from "./columns.ts";
import { organizations } from "./organizations.ts";

/**
 * Where the events of an organization are sent. An endpoint is a reader of the feed: it knows the position up to which
 * it has read. At most one process at a time sends to it, by its lease.
 */
export const webhookEndpoints = pgTable(
  "webhook_endpoints",
  {
    organizationId: id("organization_id").notNull(),
    id: id("id").notNull(),
    url: text("url").notNull(),
    /** Empty for all types. A later version may have stored one that this version does not know. */
    types: text("types").array().notNull(),
    description: text("description"),
    status: text("status", { enum: webhookEndpointStatuses }).notNull(),
    disabledReason: text("disabled_reason"),
    secret: sealed("secret").notNull(),
    /**
     * The secrets before the present one, as one text, and until when deliveries are signed with the last of them too. The
     * others have their ends in the text.
     */
    previousSecret: sealed("previous_secret"),
    previousSecretUntil: instant("previous_secret_until"),
    createdAt: instant("created_at").notNull(),
    /**
     * The position in the feed: the last event that became a delivery, or that the endpoint does not want. Without an event, it
     * is where an event would be that was recorded when the endpoint was created or enabled.
     */
    era: integer("era").notNull(),
    transactionId: transactionId("transaction_id")
      .notNull()
      .default(sql`event_transaction_id()`),
    recordedAt: bigint("recorded_at", { mode: "number" })
      .notNull()
      .default(sql`(date_part('epoch', clock_timestamp()) * 1000000)::bigint`),
    eventId: id("event_id").notNull(),
    /** When the endpoint next has something to do; null if it has nothing, or its lease has taken it up. */
    dueAt: instant("due_at"),
    /** The claim of the process that sends to the endpoint. It is void after `leased_until`. */
    lease: text("lease"),
    leasedUntil: instant("leased_until"),
    /** The first and the last failure since the last success. */
    failingSince: instant("failing_since"),
    failedAt: instant("failed_at"),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.id] }),
    foreignKey({ columns: [table.organizationId], foreignColumns: [organizations.id] }),
    // Callers pass only the endpoint's id.
    unique("webhook_endpoints_id_key").on(table.id),
    index("webhook_endpoints_due")
      .on(table.dueAt)
      .where(sql`due_at IS NOT NULL`),
    index("webhook_endpoints_leased")
      .on(table.leasedUntil)
      .where(sql`leased_until IS NOT NULL`),
    check("webhook_endpoints_status", isOneOf("status", webhookEndpointStatuses)),
    check("webhook_endpoints_reason", sql`(status = 'DISABLED') = (disabled_reason IS NOT NULL)`),
    check("webhook_endpoints_lease", sql`(lease IS NULL) = (leased_until IS NULL)`),
  ],
);

/** One attempt at a delivery, as callers see it. */
export interface StoredDeliveryAttempt {
  at: string;
  statusCode: number | null;
  error: string | null;
  durationMs: number;
}

/**
 * An event for an endpoint: to be sent, sent, or given up. Deleted after `EVENT_RETENTION_DAYS`, like its event. No
 * foreign keys: each delivery would lock the row of its endpoint, and the history stays when the endpoint is deleted.
 */
export const eventDeliveries = pgTable(
  "event_deliveries",
  {
    organizationId: id("organization_id").notNull(),
    id: id("id").notNull(),
    endpointId: id("endpoint_id").notNull(),
    eventId: id("event_id").notNull(),
    /** The type of the event. A test event has a type of its own. */
    eventType: text("event_type").notNull(),
    status: text("status", { enum: webhookDeliveryStatuses }).notNull(),
    /** The newest attempts, oldest first. */
    attempts: jsonb("attempts").$type<StoredDeliveryAttempt[]>().notNull().default([]),
    /** The number of attempts since the delivery was created or sent again: the place in the schedule. */
    tries: integer("tries").notNull().default(0),
    nextAttemptAt: instant("next_attempt_at"),
    /** A test event, which no feed keeps, as the body that is sent. Null for all other events. */
    testBody: sealed("test_body"),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.id] }),
    // Callers pass only the delivery's id.
    unique("event_deliveries_id_key").on(table.id),
    unique("event_deliveries_event_key").on(table.organizationId, table.endpointId, table.eventId),
    index("event_deliveries_of_endpoint").on(table.organizationId, table.endpointId, table.id),
    index("event_deliveries_due")
      .on(table.organizationId, table.endpointId, table.nextAttemptAt)
      .where(sql`status = 'PENDING'`),
    // Nearly all are DELIVERED, and the primary key lists those.
    index("event_deliveries_of_status")
      .on(table.organizationId, table.status, table.id)
      .where(sql`status <> 'DELIVERED'`),
    index("event_deliveries_age").on(table.createdAt),
    check("event_deliveries_status", isOneOf("status", webhookDeliveryStatuses)),
    check("event_deliveries_next", sql`(status = 'PENDING') = (next_attempt_at IS NOT NULL)`),
  ],
);
