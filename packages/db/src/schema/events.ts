import { eventTypes } from "@purser/core";
import { sql } from "drizzle-orm";
import { bigint, boolean, index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { id, instant, sealedOrObject, transactionId } from "./columns.ts";

/** The type of nearly all events where cards are used. */
export const mostCommonEventType = "card_transaction.approved";
export const notMostCommonType = `type <> '${mostCommonEventType}'`;

/**
 * What happened in an organization, written in the transaction of the change. The feed runs in the order of
 * (era, transaction_id, recorded_at, id). An event that is recorded after the commit of another comes after it. Deleted after
 * `EVENT_RETENTION_DAYS`. No foreign key: each event would lock the row of its organization.
 */
export const events = pgTable(
  "events",
  {
    organizationId: id("organization_id").notNull(),
    id: id("id").notNull(),
    /** The era of the transaction id, see `event_eras`. */
    era: integer("era").notNull(),
    /**
     * The latest transaction that had ended when the event was recorded, or the event's own if that is later. An old
     * transaction may wait for the lock of a newer one, so its own id alone would put its event before the newer one's.
     */
    transactionId: transactionId("transaction_id")
      .notNull()
      .default(sql`event_transaction_id()`),
    /**
     * The time of the database, in exact microseconds since 1970: `extract` would cost ten times as much. Tells apart events
     * with the same transaction id.
     */
    recordedAt: bigint("recorded_at", { mode: "number" })
      .notNull()
      .default(sql`(date_part('epoch', clock_timestamp()) * 1000000)::bigint`),
    type: text("type", { enum: eventTypes }).notNull(),
    subjectId: id("subject_id").notNull(),
    /**
     * Whether the list finds the event by its subject. It finds one of the organization itself by its type, and one with the
     * id of its subject by the primary key. A column, because PostgreSQL prepares the condition of an index again for each
     * statement.
     */
    isIndexedBySubject: boolean("is_indexed_by_subject").notNull().default(true),
    /**
     * The card whose present cardholder sees the event. An event of a card or a card transaction without it is an owner's,
     * such as that of a former cardholder's purchase; all other events have none.
     */
    cardId: id("card_id"),
    /** Null for what a bank, a card network, a payment provider or a schedule did. The name is that of the time. */
    actorId: id("actor_id"),
    actorName: text("actor_name"),
    /** The subject, as JSON in the wire format. Sealed if the tables of the subject seal a part of it. */
    data: sealedOrObject("data").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.id] }),
    index("events_in_feed_order").on(
      table.organizationId,
      table.era,
      table.transactionId,
      table.recordedAt,
      table.id,
    ),
    // A change pays for each index. The event of a decision is in neither of these: the list finds it by the primary key.
    index("events_of_other_type")
      .on(table.organizationId, table.type, table.id)
      .where(sql.raw(notMostCommonType)),
    index("events_by_subject")
      .on(table.organizationId, table.subjectId, table.id)
      .where(sql`is_indexed_by_subject`),
    // No CHECK of the types, and no index of the age: each insert would pay for them. PostgreSQL parses a CHECK again for
    // each statement, and the ids are in the order of creation.
  ],
);

/**
 * The servers that the database has lived on, in order. Transaction ids start again where a backup is restored, and repeat
 * where a failover or a recovery loses transactions. So each server starts an era, and each of its later timelines is
 * another one: that of an event is `era - timeline + server_timeline()`. The feed orders by it first.
 */
export const eventEras = pgTable("event_eras", {
  /** The first era of the server. */
  era: integer("era").primaryKey(),
  /** The identifier that PostgreSQL gives to a cluster and its replicas. */
  systemIdentifier: text("system_identifier").notNull(),
  /** The server's timeline when it started the era. */
  timeline: integer("timeline")
    .notNull()
    .default(sql`server_timeline()`),
});
