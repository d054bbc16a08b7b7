import { bankSyncStatuses, bankSyncTriggers } from "@purser/core";
import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { bankConnections } from "./banking.ts";
import { id, instant, isOneOf } from "./columns.ts";

/** One sync of a connection, from its request to its outcome. */
export const bankSyncs = pgTable(
  "bank_syncs",
  {
    organizationId: id("organization_id").notNull(),
    id: id("id").notNull(),
    connectionId: id("connection_id").notNull(),
    trigger: text("trigger", { enum: bankSyncTriggers }).notNull(),
    status: text("status", { enum: bankSyncStatuses }).notNull(),
    /** Whether a user was present while it read, which does not count as one of the bank's unattended reads. */
    isAttended: boolean("is_attended").notNull().default(false),
    /** The address of the last user who requested it or joined it, and when; null without one, and once it has ended. */
    personAddress: text("person_address"),
    personAt: instant("person_at"),
    /** When it was requested, and once it runs, when it started. */
    startedAt: instant("started_at").notNull(),
    finishedAt: instant("finished_at"),
    /** The last heartbeat of the process that runs it. */
    heartbeatAt: instant("heartbeat_at"),
    added: integer("added").notNull().default(0),
    modified: integer("modified").notNull().default(0),
    removed: integer("removed").notNull().default(0),
    errorCode: text("error_code"),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.id] }),
    foreignKey({
      columns: [table.organizationId, table.connectionId],
      foreignColumns: [bankConnections.organizationId, bankConnections.id],
    }),
    // At most one runs and one waits. A request while one waits joins the waiting one.
    uniqueIndex("bank_syncs_queued")
      .on(table.organizationId, table.connectionId)
      .where(sql`status = 'QUEUED'`),
    uniqueIndex("bank_syncs_running")
      .on(table.organizationId, table.connectionId)
      .where(sql`status = 'RUNNING'`),
    index("bank_syncs_of_connection").on(table.organizationId, table.connectionId, table.id),
    index("bank_syncs_age").on(table.finishedAt),
    index("bank_syncs_unfinished")
      .on(table.startedAt)
      .where(sql`status IN ('QUEUED', 'RUNNING')`),
    check("bank_syncs_trigger", isOneOf("trigger", bankSyncTriggers)),
    check("bank_syncs_status", isOneOf("status", bankSyncStatuses)),
    check("bank_syncs_finished", sql`(status IN ('SUCCEEDED', 'FAILED')) = (finished_at IS NOT NULL)`),
    check("bank_syncs_failed", sql`(status = 'FAILED') = (error_code IS NOT NULL)`),
  ],
);

/** A page of items, as JSON, that a running sync has read and not yet applied. */
export const bankSyncPages = pgTable(
  "bank_sync_pages",
  {
    organizationId: id("organization_id").notNull(),
    syncId: id("sync_id").notNull(),
    number: integer("number").notNull(),
    items: text("items").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.syncId, table.number] }),
    foreignKey({
      columns: [table.organizationId, table.syncId],
      foreignColumns: [bankSyncs.organizationId, bankSyncs.id],
    }),
  ],
);
