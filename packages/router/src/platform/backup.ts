import { createWriteStream } from "node:fs";
import { access, rename, rm, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { type Database, type Transaction, appliedMigration, listMigrations } from "@purser/db";
import { sql } from "drizzle-orm";
import { copyOut } from "./backup/copy.ts";
import {
  type Header,
  type Manifest,
  type TableHead,
  Tally,
  endOfRows,
  format,
  markOf,
} from "./backup/format.ts";
import type { OnTable } from "./backup/read.ts";
import { type BackedUpTable, listTables, lockTables, selection } from "./backup/tables.ts";
import { openPatientDatabase } from "./database.ts";
import type { Settings } from "./settings.ts";

/** What a backup or a restore came to. */
export interface Transfer {
  tables: number;
  rows: number;
}

/**
 * Writes the whole database, as it is at one moment, to a new file that only its owner can read. The service goes on
 * meanwhile. What is sealed stays sealed: the keys are not in the file. The file has its name only when it is whole.
 */
export async function backUpDatabase(
  settings: Settings,
  file: string,
  onTable: OnTable = () => undefined,
): Promise<Transfer & { bytes: number }> {
  const isTaken = await access(file).then(
    () => true,
    () => false,
  );
  if (isTaken) throw new Error(`There is a file ${file} already`);
  const draft = `${file}.part`;
  const db = openPatientDatabase(settings);
  const tables: Manifest["tables"] = [];
  try {
    await db.transaction(
      (transaction) =>
        pipeline(
          backupText({ db, transaction, settings, tables, onTable }),
          createGzip(),
          createWriteStream(draft, { mode: 0o600, flush: true }),
        ),
      { isolationLevel: "repeatable read", accessMode: "read only" },
    );
    const { size } = await stat(draft);
    await rename(draft, file);
    return { ...sumOf({ tables }), bytes: size };
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    await db.close();
  }
}

/** How much there is in a backup. */
export function sumOf({ tables }: Manifest): Transfer {
  return { tables: tables.length, rows: tables.reduce((sum, { rows }) => sum + rows, 0) };
}

interface Snapshot {
  db: Database;
  transaction: Transaction;
  settings: Settings;
  /** Where the manifest grows. */
  tables: Manifest["tables"];
  onTable: OnTable;
}

async function* backupText({ db, transaction, settings, tables, onTable }: Snapshot): AsyncGenerator<Buffer> {
  const listed = await listTables(transaction);
  await lockTables(transaction, listed, "alteration");
  // Times and dates are written so that they are read as the same ones under every setting.
  await transaction.execute(sql`SET LOCAL DateStyle = 'ISO, YMD'`);
  yield line(await headerOf(transaction, settings));
  for (const table of listed) {
    yield line(headOf(table));
    const tally = new Tally();
    yield* tally.of(copyOut(db, transaction, `COPY (${selection(table)}) TO STDOUT`));
    yield endOfRows;
    const entry = { table: table.name, ...tally.result() };
    tables.push(entry);
    onTable(table.name, entry.rows);
  }
  yield line({ tables } satisfies Manifest);
}

async function headerOf(transaction: Transaction, { authSecret }: Settings): Promise<Header> {
  const applied = await appliedMigration(transaction);
  if (applied === null) throw new Error("There is nothing to back up: the database has no tables yet");
  const migration = listMigrations().find(({ when }) => when === applied);
  if (migration === undefined) {
    throw new Error(
      "The database is newer than this version of Purser; back it up with the one that runs on it",
    );
  }
  return {
    purser: "backup",
    format,
    migration,
    madeAt: new Date().toISOString(),
    authSecret: markOf(authSecret),
  };
}

const headOf = ({ name, columns }: BackedUpTable): TableHead => ({ table: name, columns });

const line = (facts: object) => Buffer.from(`${JSON.stringify(facts)}\n`);
