import { type Transaction, auditEntries, writeBeforeCommit } from "@purser/db";
import { sql } from "drizzle-orm";
import { type NewEventRow, insertingEvents } from "./events/rows.ts";
import { insertingInto } from "./inserting.ts";

/** What a change leaves behind: an entry of the audit trail, or an event of the feed. */
export type ChangeRecord = { entry: typeof auditEntries.$inferInsert } | { event: NewEventRow };

/** Adds a record of a change to its transaction, at whose end one statement writes all of them. */
export function writeRecord(transaction: Transaction, record: ChangeRecord): void {
  writeBeforeCommit(transaction, insertRecords, record);
}

async function insertRecords(transaction: Transaction, records: readonly ChangeRecord[]): Promise<void> {
  const entries = records.flatMap((one) => ("entry" in one ? [one.entry] : []));
  const events = records.flatMap((one) => ("event" in one ? [one.event] : []));
  if (events.length === 0) await transaction.execute(insertingEntries(entries));
  else if (entries.length === 0) await transaction.execute(insertingEvents(events));
  else
    await transaction.execute(sql`WITH event AS (${insertingEvents(events)}) ${insertingEntries(entries)}`);
}

const insertingEntries = insertingInto(auditEntries);
