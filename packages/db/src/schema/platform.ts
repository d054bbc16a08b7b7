import { webhookAreas, webhookEventStatuses } from "@purser/core";
import { sql } from "drizzle-orm";
import { check, foreignKey, index, integer, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { id, instant, isOneOf, sealed, sealedOrDigest } from "./columns.ts";

/** The fingerprint and the output of a mutation that a caller may repeat. Deleted after 24 hours. */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    userId: id("user_id").notNull(),
    procedure: text("procedure").notNull(),
    key: id("key").notNull(),
    fingerprint: sealedOrDigest("fingerprint").notNull(),
    /** Null while the first request is running, and with `result_in`. */
    output: sealed("output"),
    /** Until when a request that calls a provider holds the key; null for all others, once it is completed, and with `result_in`. */
    leasedUntil: instant("leased_until"),
    /** On a cluster: the organization whose node has the effect and, in `idempotency_results`, the output. */
    resultIn: id("result_in"),
    /** With `result_in`: until when the request holds the key, unless the output is there. */
    resultLeasedUntil: instant("result_leased_until"),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.procedure, table.key] }),
    index("idempotency_keys_age").on(table.createdAt),
    // A predicate on the output would cost each mutation an update of every index.
    index("idempotency_keys_leased")
      .on(table.leasedUntil)
      .where(sql`leased_until IS NOT NULL`),
  ],
);

/** On a cluster: the output of a mutation of an organization, on its node. Deleted after 24 hours. */
export const idempotencyResults = pgTable(
  "idempotency_results",
  {
    organizationId: id("organization_id").notNull(),
    userId: id("user_id").notNull(),
    procedure: text("procedure").notNull(),
    key: id("key").notNull(),
    fingerprint: sealedOrDigest("fingerprint").notNull(),
    /** Null until the end of the transaction. */
    output: sealed("output"),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.userId, table.procedure, table.key] }),
    index("idempotency_results_age").on(table.createdAt),
  ],
);

/** On a cluster: the jobs of a change of an organization, on its node, until they are in the queue. */
export const outboxJobs = pgTable(
  "outbox_jobs",
  {
    organizationId: id("organization_id").notNull(),
    /** The id that the job will have. */
    id: id("id").notNull(),
    name: text("name").notNull(),
    /** The payload, sealed as it is in the queue. */
    payload: sealed("payload").notNull(),
    createdAt: instant("created_at")
      .notNull()
      .default(sql`now()`),
  },
  (table) => [primaryKey({ columns: [table.organizationId, table.name, table.id] })],
);

/** An action in an organization, and its actor. Append-only: a trigger refuses UPDATE and DELETE. */
export const auditEntries = pgTable(
  "audit_entries",
  {
    organizationId: id("organization_id").notNull(),
    id: id("id").notNull(),
    at: instant("at").notNull(),
    /** Null for an action of the service. The name is the actor's name at that time. */
    actorId: id("actor_id"),
    actorName: text("actor_name"),
    action: text("action").notNull(),
    subject: text("subject").notNull(),
    details: jsonb("details").$type<Record<string, unknown>>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationId, table.id] })],
);

/** Permits taken under a key in a window of time, shared by all processes. */
export const rateLimits = pgTable(
  "rate_limits",
  {
    key: id("key").primaryKey(),
    windowEndsAt: instant("window_ends_at").notNull(),
    used: integer("used").notNull(),
  },
  (table) => [index("rate_limits_age").on(table.windowEndsAt)],
);

/** The times of the attempts that still count, per key such as an account or an address. */
export const signInAttempts = pgTable(
  "sign_in_attempts",
  {
    key: id("key").primaryKey(),
    times: instant("times").array().notNull(),
    /** How many of them are undecided. An attempt that succeeds is removed. */
    pending: integer("pending").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [index("sign_in_attempts_age").on(table.expiresAt)],
);

/**
 * A webhook event as received, without a state: that is in `webhook_deliveries`. A trigger refuses UPDATE, and DELETE of
 * an event of the last seven days, so only the retention deletes events.
 */
export const inboxEvents = pgTable(
  "webhook_events",
  {
    area: text("area", { enum: webhookAreas }).notNull(),
    provider: text("provider").notNull(),
    eventId: id("event_id").notNull(),
    type: text("type").notNull(),
    receivedAt: instant("received_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.area, table.provider, table.eventId] }),
    index("webhook_events_age").on(table.receivedAt),
    check("webhook_events_area", isOneOf("area", webhookAreas)),
  ],
);

/** The state of an event. The sealed body is here, because it can be resealed. */
export const inboxStates = pgTable(
  "webhook_deliveries",
  {
    area: text("area", { enum: webhookAreas }).notNull(),
    provider: text("provider").notNull(),
    eventId: id("event_id").notNull(),
    body: sealed("body").notNull(),
    status: text("status", { enum: webhookEventStatuses }).notNull(),
    attempts: integer("attempts").notNull().default(0),
    lastError: text("last_error"),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.area, table.provider, table.eventId] }),
    foreignKey({
      columns: [table.area, table.provider, table.eventId],
      foreignColumns: [inboxEvents.area, inboxEvents.provider, inboxEvents.eventId],
    }),
    index("webhook_deliveries_state").on(table.status, table.updatedAt),
    check("webhook_deliveries_status", isOneOf("status", webhookEventStatuses)),
  ],
);
