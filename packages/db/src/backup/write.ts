import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { type FileHandle, access, link, open, rename, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { Transaction } from "../connection/database.ts";
import { isDistributed } from "../distribute.ts";
import { appliedMigration, listMigrations } from "../migrate.ts";
import { type DatabaseSettings, openMaintenanceDatabase } from "../pools.ts";
import { withClusterSnapshot } from "./cluster-snapshot.ts";
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
import { type Snapshot, withSnapshot } from "./snapshot.ts";
import { type BackedUpTable, selection } from "./tables.ts";

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
  let opened: FileHandle | undefined;
  try {
    const output = (opened = await open(draft, "wx", 0o600));
    const write = (snapshot: Snapshot) =>
      pipeline(
        backupText({ snapshot, settings, tables, onTable }),
        createGzip(),
        output.createWriteStream({ flush: true }),
      );
    await ((await isDistributed(db)) ? withClusterSnapshot(settings, db, write) : withSnapshot(db, write));
    const { size } = await stat(draft);
    await publish(draft, file);
    return { ...totalsOf({ tables }), bytes: size };
  } finally {
    await opened?.close();
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

interface Writing {
  snapshot: Snapshot;
  settings: BackupSettings;
  /** The manifest, filled table by table. */
  tables: Manifest["tables"];
  onTable: OnTable;
}

async function* backupText({ snapshot, settings, tables, onTable }: Writing): AsyncGenerator<Buffer> {
  yield line(await headerOf(snapshot.transaction, settings));
  for (const table of snapshot.tables) {
    yield line(headOf(table));
    const checksum = new RowChecksum();
    yield* checksum.of(rowsOf(table, snapshot));
    yield endOfRows;
    const entry = { table: table.name, ...checksum.result() };
    tables.push(entry);
    onTable(table.name, entry.rows);
  }
  yield line({ tables } satisfies Manifest);
}

async function* rowsOf(table: BackedUpTable, { partsOf }: Snapshot): AsyncGenerator<Buffer> {
  for (const { db, transaction, name } of partsOf(table))
    yield* copyOut(db, transaction, `COPY (${selection({ ...table, name })}) TO STDOUT`);
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
