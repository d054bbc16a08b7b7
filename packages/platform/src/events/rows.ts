import {
  type EventSubject,
  type EventType,
  decodeWire,
  encodeWire,
  eventSubjects,
  newId,
} from "@purser/core";
import { eraOnServer, events } from "@purser/db";
import { type SQL, getTableColumns, sql } from "drizzle-orm";
import type { Actor } from "../callers.ts";
import { insertingFrom, insertingInto, insertingOneInto } from "../inserting.ts";
import { type Keyring, seal, sealedIn, unseal } from "../secrets.ts";

/** What the contracts of an area's events say (`feed-events/contract.ts`): which type has which data. */
export interface EventContract {
  type: EventType;
  data: object;
}

/** A change, as its subscribers learn of it. Its type is given by the contract of one of the area's events. */
export type NewEvent<Contract extends EventContract = EventContract> = Contract extends EventContract
  ? {
      organizationId: string;
      type: Contract["type"];
      /** The id of the subject. */
      subject: string;
      /**
       * The subject as its own read procedure returns it to an owner. Readers see what the contract has and no more.
       */
      data: Contract["data"];
      /** The card whose cardholder sees an event of a card or a card transaction. If absent, only owners see it. */
      cardId?: string;
    }
  : never;

/** What the rows of events are made with. */
export interface EventOrigin {
  keys: Keyring;
  /** `ServerEras.base` of `@purser/db`. */
  eraBase: number;
  createdAt: Date;
  actor: Actor;
}

/**
 * The subjects whose own tables seal a part of what their events contain, such as the number of an account. Other events are
 * stored as plain as their subjects: sealing would be a tenth of the work of a decision.
 */
const sealedSubjects: ReadonlySet<EventSubject> = new Set(["bank_account"]);

/**
 * Types whose subject was just created with an id of this service. A subscription has its provider's id. A card has its id
 * before its issuer is asked, so its event would be listed before what happened meanwhile.
 */
const creations: ReadonlySet<EventType> = new Set([
  "api_key.created",
  "card_policy.created",
  "invitation.created",
]);

/**
 * Returns the row of an event. An event of the creation of its subject has the subject's id, with another prefix: the list
 * then finds it without an index of subjects.
 */
export function eventRow(
  { keys, eraBase, createdAt, actor }: EventOrigin,
  { organizationId, type, subject, data, cardId }: NewEvent,
  { isCreation = creations.has(type) } = {},
): NewEventRow {
  const id = isCreation ? createdEventId(subject) : newId("evt", createdAt);
  const text = JSON.stringify(encodeWire(data));
  const isSealed = sealedSubjects.has(eventSubjects[type]);
  return {
    organizationId,
    id,
    era: eraBase,
    type,
    subjectId: subject,
    isIndexedBySubject: subject !== organizationId && id !== createdEventId(subject),
    cardId: cardId ?? null,
    actorId: actor?.id ?? null,
    actorName: actor?.name ?? null,
    data: isSealed ? seal(keys, text, sealedAs(organizationId, id)) : text,
    createdAt,
  };
}

/** Returns the id that the event of a subject's creation has. */
export const createdEventId = (subject: string) => `evt_${subject.slice(subject.lastIndexOf("_") + 1)}`;

/** Returns the data of a stored event. */
export function openEventData(
  keys: Keyring,
  { organizationId, id, data }: Pick<typeof events.$inferSelect, "organizationId" | "id" | "data">,
): unknown {
  const text = data.startsWith("{") ? data : unseal(keys, data, sealedAs(organizationId, id));
  return decodeWire(JSON.parse(text));
}

const sealedAs = (organizationId: string, id: string) => sealedIn(events.data, [organizationId, id]);

/** An event for the functions below. Its `era` is `ServerEras.base`, to which they add the timeline of the server. */
export type NewEventRow = Omit<typeof events.$inferInsert, "transactionId" | "recordedAt">;

const fromDatabase = ["transactionId", "recordedAt"];
const inserting = insertingInto(events, fromDatabase, { era: eraOnServer });

/**
 * Inserts rows of events as a part of a statement. PostgreSQL adds what the feed is ordered by, when the statement holds its
 * locks.
 */
export const insertingEvents = (rows: readonly NewEventRow[], condition?: SQL): SQL =>
  inserting(rows, condition);

/**
 * The same for exactly one event, for a statement that waits for no lock itself. Its snapshot is then as good as the one that
 * `event_transaction_id()` takes, whose call is a tenth of what the event costs PostgreSQL.
 */
export const insertingOneEvent = insertingOneInto<NewEventRow>(
  events,
  ["recordedAt"],
  {
    transactionId:
      "greatest(pg_current_xact_id(), (pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1)::text::xid8)",
  },
  { era: eraOnServer },
);

const {
  transactionId: _transactionId,
  recordedAt: _recordedAt,
  ...insertedColumns
} = getTableColumns(events);

/** The columns of a {@link NewEventRow}, for a statement that reads events together with their changes. */
export const eventColumns = insertedColumns;

/**
 * Inserts an event for each row of another part of the statement, which has read the events together with their changes.
 * All of them have one `transactionId`, taken from `eventTransactionId`.
 */
export function insertingEventsFrom(
  source: string,
  expressions: Readonly<Record<keyof NewEventRow | "transactionId", string>>,
): SQL {
  return insertingFrom(source, events, { ...expressions, era: eraOnServer(expressions.era) });
}

/** What the feed is ordered by first. To be evaluated when all locks are held: an earlier one may be too low. */
export const eventTransactionId = sql.raw("event_transaction_id()");
