import { randomBytes } from "node:crypto";
import { createWriteStream, rmSync } from "node:fs";
import { access, link, rename, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { sql } from "drizzle-orm";
import type { Database, Transaction } from "../connection/database.ts";
import { appliedMigration, listMigrations } from "../migrate.ts";
import { type DatabaseSettings, openMaintenanceDatabase } from "../pools.ts";
import { copyOut } from "./copy.ts";
import {
  type Header,
  type Manifest,
  RowChecksum,
  type TableHead,
  type Transfer,
  backupFormat,
  endOfRows,
  secretFingerprint,
  totalsOf,
} from "./format.ts";
import type { OnTable } from "./read.ts";
import { type BackedUpTable, listTables, lockTables, selection } from "./tables.ts";

/** The database to back up, and the AUTH_SECRET that a restore compares its own with. */
type BackupSettings = DatabaseSettings & { authSecret: string };

/**
 * Writes a consistent snapshot of the whole database to a new file that only its owner can read, while the service
 * runs. Sealed values stay sealed: the file does not contain the keys. The file gets its name only when it is complete.
 */
export async function backUpDatabase(
  settings: BackupSettings,
  file: string,
  onTable: OnTable = () => undefined,
): Promise<Transfer & { bytes: number }> {
  const isTaken = await access(file).then(
    () => true,
    () => false,
  );
  if (isTaken) throw alreadyExists(file);
  // Another backup may be written to this name at the same time, such as one of a schedule.
  const draft = `${file}.${randomBytes(6).toString("hex")}.part`;
  const discard = () => rmSync(draft, { force: true });
  // A command that is interrupted exits without waiting for this function.
  process.once("exit", discard);
  const db = openMaintenanceDatabase(settings, { max: 2 });
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
    await publish(draft, file);
    return { ...totalsOf({ tables }), bytes: size };
  } finally {
    discard();
    process.off("exit", discard);
    await db.close();
  }
}

async function publish(draft: string, file: string): Promise<void> {
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EEXIST") throw alreadyExists(file);
    // Some file systems have no links. On them, the later one of two backups replaces the earlier one.
    return rename(draft, file);
  });
}

const alreadyExists = (file: string) => new Error(`The file ${file} already exists`);

interface Snapshot {
  db: Database;
  transaction: Transaction;
  settings: BackupSettings;
  /** The manifest, filled table by table. */
  tables: Manifest["tables"];
  onTable: OnTable;
}

async function* backupText({ db, transaction, settings, tables, onTable }: Snapshot): AsyncGenerator<Buffer> {
  const listed = await listTables(transaction);
  await lockTables(transaction, listed, "alteration");
  // Every server reads this date style in the same way, whatever its settings.
  await transaction.execute(sql`SET LOCAL DateStyle = 'ISO, YMD'`);
  yield line(await headerOf(transaction, settings));
  for (const table of listed) {
    yield line(headOf(table));
    const checksum = new RowChecksum();
    yield* checksum.of(copyOut(db, transaction, `COPY (${selection(table)}) TO STDOUT`));
    yield endOfRows;
    const entry = { table: table.name, ...checksum.result() };
    tables.push(entry);
    onTable(table.name, entry.rows);
  }
  yield line({ tables } satisfies Manifest);
}

async function headerOf(transaction: Transaction, { authSecret }: BackupSettings): Promise<Header> {
  const applied = await appliedMigration(transaction);
  if (applied === null) throw new Error("Nothing to back up: the database has no tables");
  const migration = listMigrations().find(({ when }) => when === applied);
  if (migration === undefined) {
    throw new Error(
      "The database is newer than this version of Purser; back it up with the one that runs on it",
    );
  }
  return {
    purser: "backup",
    format: backupFormat,
    migration,
    madeAt: new Date().toISOString(),
    authSecret: secretFingerprint(authSecret),
  };
}

const headOf = ({ name, columns }: BackedUpTable): TableHead => ({ table: name, columns });

const line = (value: object) => Buffer.from(`${JSON.stringify(value)}\n`);
