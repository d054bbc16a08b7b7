import { type Transaction, auditEntries, executeText, writeBeforeCommit } from "@purser/db";
import { sql } from "drizzle-orm";
import { type NewEventRow, insertingEvents, insertingOneEvent } from "./events/rows.ts";
import { insertingInto, insertingOneInto } from "./inserting.ts";

/** A record of a change: an entry of the audit trail, or an event of the feed. */
export type ChangeRecord = { entry: typeof auditEntries.$inferInsert } | { event: NewEventRow };

/** Adds a record of a change to its transaction, at whose end one statement writes all of them. */
export function writeRecord(transaction: Transaction, record: ChangeRecord): void {
  writeBeforeCommit(transaction, insertRecords, record);
}

async function insertRecords(transaction: Transaction, records: readonly ChangeRecord[]): Promise<void> {
  const entries = records.flatMap((one) => ("entry" in one ? [one.entry] : []));
  const events = records.flatMap((one) => ("event" in one ? [one.event] : []));
  const [entry] = entries;
  const [event] = events;
  // Most changes write one entry, or one entry and one event. Both have a prebuilt statement.
  if (entries.length === 1 && events.length === 0)
    await executeText(transaction, insertingEntry, insertingOneEntry.parameters(entry!, entryFields));
  else if (entries.length === 1 && events.length === 1 && isOfOneAct(entry!, event!))
    await executeText(transaction, insertingBoth, [
      ...insertingOneEvent.parameters(event!, eventFields),
      ...insertingOneEntry.parameters(entry!, ownFields),
    ]);
  else if (events.length === 0) await transaction.execute(insertingEntries(entries));
  else if (entries.length === 0) await transaction.execute(insertingEvents(events));
  else
    await transaction.execute(sql`WITH event AS (${insertingEvents(events)}) ${insertingEntries(entries)}`);
}

type Entry = typeof auditEntries.$inferInsert;
const insertingEntries = insertingInto(auditEntries);
const insertingOneEntry = insertingOneInto<Entry>(auditEntries);
const { fields: entryFields } = insertingOneEntry;
const insertingEntry = insertingOneEntry.text((field) => entryFields.indexOf(field) + 1);

/** What an entry and an event of one act share: one parameter for both. */
const sharedFields = ["organizationId", "actorId", "actorName"] as const;
const isShared = (field: string) => sharedFields.some((shared) => shared === field);
const isOfOneAct = (entry: Entry, event: NewEventRow) =>
  sharedFields.every((field) => entry[field] === event[field]);

const { fields: eventFields } = insertingOneEvent;
const ownFields = entryFields.filter((field) => !isShared(field));
const numberInEvent = (field: string) => eventFields.indexOf(field) + 1;
const insertingBoth = `WITH event AS (${insertingOneEvent.text(numberInEvent)})
  ${insertingOneEntry.text((field) =>
    isShared(field) ? numberInEvent(field) : eventFields.length + ownFields.indexOf(field) + 1,
  )}`;
