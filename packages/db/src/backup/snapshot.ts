import { sql } from "drizzle-orm";
import type { Database, Transaction } from "../connection/database.ts";
import { type BackedUpTable, listTables, lockTables } from "./tables.ts";

/** What a backup reads: the whole database, as of one moment. */
export interface Snapshot {
  /** Reads the one PostgreSQL, or the coordinator of a cluster. */
  transaction: Transaction;
  tables: readonly BackedUpTable[];
  /** Returns where the rows of a table are: on a cluster, in its shards. */
  partsOf: (table: BackedUpTable) => readonly TablePart[];
}

/** A table of a database that has some or all rows of a table of the service. */
export interface TablePart {
  db: Database;
  transaction: Transaction;
  /** Quoted for SQL. */
  name: string;
}

export const snapshotMode = { isolationLevel: "repeatable read", accessMode: "read only" } as const;

/** Every server reads this date style in the same way, whatever its settings. */
export const portableDates = sql`SET LOCAL DateStyle = 'ISO, YMD'`;

/** Runs `work` on a snapshot of one PostgreSQL. Until it ends, migrations wait, and nothing else. */
export function withSnapshot<Result>(
  db: Database,
  work: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (transaction) => {
    const tables = await listTables(transaction);
    await lockTables(transaction, tables, "alteration");
    await transaction.execute(portableDates);
    return work({ transaction, tables, partsOf: ({ name }) => [{ db, transaction, name }] });
  }, snapshotMode);
}
