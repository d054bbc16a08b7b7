import { type Database, type Executor, type Migration, appliedMigration, listMigrations } from "@purser/db";
import { sql } from "drizzle-orm";
import { type Transfer, sumOf } from "./backup.ts";
import { copyIn } from "./backup/copy.ts";
import { type Manifest, type TableHead, markOf } from "./backup/format.ts";
import { type OnTable, readBackup } from "./backup/read.ts";
import { type BackedUpTable, columnList, findRows, listTables, lockTables } from "./backup/tables.ts";
import { migrateDatabase, openPatientDatabase } from "./database.ts";
import { firstUnopened } from "./keys.ts";
import type { Settings } from "./settings.ts";

/**
 * Fills an empty database with what `backUpDatabase` wrote, all of it or nothing. First the whole file is read, and
 * every checksum verified; then the database is migrated to where the backup was made, filled in one transaction, and
 * brought up to date. Refused, with a message for people, where the file is damaged or newer than this version, the
 * database has rows or is further, or the keys of the settings do not open what is sealed in it. Tells whether their
 * AUTH_SECRET is the one that it was made with: with another one, nobody's session or second factor is known.
 */
export async function restoreDatabase(
  settings: Settings,
  file: string,
  onTable: OnTable = () => undefined,
): Promise<Transfer & { isSameAuthSecret: boolean }> {
  const { header, manifest } = await readBackup(file, (_table, rows) => discard(rows));
  const migrations = listMigrations();
  const migration = known(migrations, header.migration);
  const db = openPatientDatabase(settings);
  try {
    await refuseRows(db, await listTables(db));
    await refuseFurther(db, migration);
    await migrateDatabase(settings, migration);
    await fill({ db, settings, file, manifest, onTable });
    if (migration !== migrations.at(-1)) await migrateDatabase(settings);
    return { ...sumOf(manifest), isSameAuthSecret: header.authSecret === markOf(settings.authSecret) };
  } finally {
    await db.close();
  }
}

async function discard(rows: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of rows);
}

function known(migrations: readonly Migration[], { tag, when }: Migration): Migration {
  const migration = migrations.find((one) => one.tag === tag && one.when === when);
  if (migration !== undefined) return migration;
  throw new Error(
    `The backup is newer than this version of Purser: it was made at migration ${tag}. Restore it with the version ` +
      "that made it, or a newer one",
  );
}

async function refuseRows(db: Executor, tables: readonly BackedUpTable[]): Promise<void> {
  const name = await findRows(db, tables);
  if (name !== undefined)
    throw new Error(`The database is not empty: ${name} has rows. Restore into a database of its own`);
}

/** Migrations move forward only. */
async function refuseFurther(db: Database, { tag, when }: Migration): Promise<void> {
  const applied = await appliedMigration(db);
  if (applied === null || applied <= when) return;
  throw new Error(
    `The database is further than the backup, which was made at migration ${tag}. Restore into a database without ` +
      "tables: it is migrated to there, filled, and brought up to date",
  );
}

interface Filling {
  db: Database;
  settings: Settings;
  file: string;
  manifest: Manifest;
  onTable: OnTable;
}

async function fill({ db, settings, file, manifest, onTable }: Filling): Promise<void> {
  const withRows = new Set(manifest.tables.filter(({ rows }) => rows > 0).map(({ table }) => table));
  await db.transaction(async (transaction) => {
    const tables = await listTables(transaction);
    await lockTables(transaction, tables, "writers");
    await refuseRows(transaction, tables);
    const filled = new Set<string>();
    const copy = async ({ table, columns }: TableHead, rows: AsyncIterable<Buffer>) => {
      if (!withRows.has(table)) return discard(rows);
      await copyIn(transaction, `COPY ${into(tables, { table, columns })} FROM STDIN`, rows);
      for (const column of columns) filled.add(`${table}.${column}`);
    };
    await readBackup(file, copy, onTable);
    await refuseUnopened(transaction, settings, filled);
    // Tables that were filled at once have no statistics yet: their queries would be planned by guesses.
    await transaction.execute(sql.raw(`ANALYZE ${tables.map(({ name }) => name).join(", ")}`));
  });
}

async function refuseUnopened(db: Executor, settings: Settings, filled: ReadonlySet<string>): Promise<void> {
  const unopened = await firstUnopened(db, settings.encryptionKeys, (column) => filled.has(column));
  if (unopened === null) return;
  throw new Error(
    `ENCRYPTION_KEYS does not open what is sealed in the backup: ${unopened.place}: ${unopened.reason}. ` +
      "Nothing was restored; set the keys of the service that the backup is of",
  );
}

/** The table as COPY takes it, once it is certain that the database has it: its name comes from the file. */
function into(tables: readonly BackedUpTable[], { table, columns }: TableHead): string {
  const there = tables.find(({ name }) => name === table);
  const missing = there === undefined ? table : columns.find((column) => !there.columns.includes(column));
  if (missing !== undefined)
    throw new Error(`The database has no ${missing}, which the backup has rows for. Nothing was restored`);
  return `${table} (${columnList(columns)})`;
}
