import { type Transaction, auditEntries, executeText, writeBeforeCommit } from "@purser/db";
import { sql } from "drizzle-orm";
import { type NewEventRow, insertingEvents, insertingOneEvent } from "./events/rows.ts";
import { insertingInto, insertingOneInto } from "./inserting.ts";

/** What a change leaves behind: an entry of the audit trail, or an event of the feed. */
export type ChangeRecord = { entry: typeof auditEntries.$inferInsert } | { event: NewEventRow };

/** Adds a record of a change to its transaction, at whose end one statement writes all of them. */
export function writeRecord(transaction: Transaction, record: ChangeRecord): void {
  writeBeforeCommit(transaction, insertRecords, record);
}

async function insertRecords(transaction: Transaction, records: readonly ChangeRecord[]): Promise<void> {
  const entries = records.flatMap((one) => ("entry" in one ? [one.entry] : []));
  const events = records.flatMap((one) => ("event" in one ? [one.event] : []));
  const isOneEntry = entries.length === 1;
  // What most changes leave behind has a text of its own.
  if (isOneEntry && events.length === 1)
    await executeText(transaction, insertingOneOfEach, [
      ...insertingOneEvent.parametersOf(events[0]!),
      ...insertingOneEntry.parametersOf(entries[0]!),
    ]);
  else if (isOneEntry && events.length === 0)
    await executeText(
      transaction,
      insertingOneEntry.textFrom(1),
      insertingOneEntry.parametersOf(entries[0]!),
    );
  else if (events.length === 0) await transaction.execute(insertingEntries(entries));
  else if (entries.length === 0) await transaction.execute(insertingEvents(events));
  else
    await transaction.execute(sql`WITH event AS (${insertingEvents(events)}) ${insertingEntries(entries)}`);
}

const insertingEntries = insertingInto(auditEntries);
const insertingOneEntry = insertingOneInto<typeof auditEntries.$inferInsert>(auditEntries);
const insertingOneOfEach = `WITH event AS (${insertingOneEvent.textFrom(1)})
  ${insertingOneEntry.textFrom(1 + insertingOneEvent.width)}`;
