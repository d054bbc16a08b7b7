import { errorText } from "@purser/core";
import { eq, sql } from "drizzle-orm";
import type { Database, Executor } from "../connection/database.ts";
import { type Migration, appliedMigration, listMigrations } from "../migrate.ts";
import { type DatabaseSettings, openMaintenanceDatabase } from "../pools.ts";
import { isDistributed } from "../distribute.ts";
import { idempotencyKeys, idempotencyResults, webhookEndpoints } from "../schema/index.ts";
import { copyIn } from "./copy.ts";
import { type Manifest, type TableHead, type Transfer, secretFingerprint, totalsOf } from "./format.ts";
import { type OnTable, readBackup } from "./read.ts";
import {
  type BackedUpTable,
  columnList,
  createMissingQueues,
  deleteEras,
  findRows,
  listTables,
  lockTables,
} from "./tables.ts";

interface RestoreOptions {
  /** Migrates the tables and the job runner's tables, to this migration or to the newest. */
  migrate: (upTo?: Migration) => Promise<unknown>;
  /**
   * Returns the first sealed value that the service's keys do not open, or null. It reads only columns for which
   * `isFilled` is true, such as `public.users.name`: in an earlier version others may not exist.
   */
  verifySecrets: (
    db: Executor,
    isFilled: (column: string) => boolean,
  ) => Promise<{ location: string; reason: string } | null>;
  onTable?: OnTable;
  /** Gets a message for the operator about what failed although the rows are restored. */
  onWarning: (message: string) => void;
}

/**
 * Fills an empty database from a file of `backUpDatabase`, completely or not at all. It first reads the whole file and
 * verifies every checksum, then migrates the database to the version of the backup, fills it in one transaction, and
 * migrates it to the newest version. It refuses, with a message for the operator, a damaged file, a file of a newer
 * version, a database that has rows or is newer than the backup, and keys that do not open the sealed values.
 * `madeAt` is the instant of the backup: what was revoked since is valid again.
 * `isSameAuthSecret` is false when AUTH_SECRET is not the one of the backup: sessions and second factors are then lost.
 * `sendsWebhooks` is true if endpoints are enabled: a worker that starts on the database sends to them.
 */
export async function restoreDatabase(
  settings: DatabaseSettings & { authSecret: string },
  file: string,
  { migrate, verifySecrets, onTable = () => undefined, onWarning }: RestoreOptions,
): Promise<Transfer & { madeAt: string; isSameAuthSecret: boolean; sendsWebhooks: boolean }> {
  const { header, manifest } = await readBackup(file, (_table, rows) => discard(rows));
  const migrations = listMigrations();
  const migration = known(migrations, header.migration);
  const db = openMaintenanceDatabase(settings, { max: 1 });
  try {
    await refuseRows(db, await listTables(db));
    await refuseNewer(db, migration);
    await migrate(migration);
    await fill({ db, verifySecrets, file, manifest, onTable });
    // The rows are committed, and still have to be migrated.
    const warn = (remedy: string) => (error: unknown) => onWarning(`${remedy}: ${errorText(error)}`);
    await endOtherConnections(db).catch(warn("Restart all processes that run on the database"));
    await analyze(db).catch(warn("Run ANALYZE on the database"));
    if (migration !== migrations.at(-1)) await migrate();
    await freeKeys(db);
    return {
      ...totalsOf(manifest),
      madeAt: header.madeAt,
      isSameAuthSecret: header.authSecret === secretFingerprint(settings.authSecret),
      sendsWebhooks: await hasEnabledEndpoints(db),
    };
  } finally {
    await db.close();
  }
}

/**
 * Frees the idempotency keys of requests that ran on a cluster when its backup was made. On one PostgreSQL nothing else would, for
 * a day.
 */
async function freeKeys(db: Database): Promise<void> {
  if (await isDistributed(db)) return;
  await db.execute(sql`
    DELETE FROM ${idempotencyKeys} WHERE result_in IS NOT NULL AND NOT EXISTS (
      SELECT FROM ${idempotencyResults} AS result WHERE organization_id = result_in
        AND (result.user_id, result.procedure, result.key)
          = (idempotency_keys.user_id, idempotency_keys.procedure, idempotency_keys.key))`);
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
    throw new Error(`The database is not empty: ${name} has rows. Restore into an empty database`);
}

/** Migrations move forward only. */
async function refuseNewer(db: Database, { tag, when }: Migration): Promise<void> {
  const applied = await appliedMigration(db);
  if (applied === null || applied <= when) return;
  throw new Error(
    `The database is newer than the backup, which was made at migration ${tag}. Restore into a database without ` +
      "tables: it is migrated to that version, filled, and migrated to the newest version",
  );
}

interface Filling {
  db: Database;
  verifySecrets: RestoreOptions["verifySecrets"];
  file: string;
  manifest: Manifest;
  onTable: OnTable;
}

async function fill({ db, verifySecrets, file, manifest, onTable }: Filling): Promise<void> {
  const withRows = new Set(manifest.tables.filter(({ rows }) => rows > 0).map(({ table }) => table));
  await db.transaction(async (transaction) => {
    const tables = await listTables(transaction);
    await lockTables(transaction, tables, "writers");
    await refuseRows(transaction, tables);
    await deleteEras(transaction, tables);
    // Tells the triggers of a distributed database to keep the positions of events.
    await transaction.execute(sql`SET LOCAL purser.restoring = 'on'`);
    const filled = new Set<string>();
    const copy = async ({ table, columns }: TableHead, rows: AsyncIterable<Buffer>) => {
      if (!withRows.has(table)) return discard(rows);
      await copyIn(transaction, `COPY ${into(tables, { table, columns })} FROM STDIN`, rows);
      for (const column of columns) filled.add(`${table}.${column}`);
    };
    await readBackup(file, copy, onTable);
    await createMissingQueues(transaction);
    refuseUnopened(await verifySecrets(transaction, (column) => filled.has(column)));
  });
}

/**
 * A process that runs on the database remembers its era of events, which is no longer there, until its connections end. Readers of
 * its feed would start over again and again, and miss its events once another process has started an era.
 */
async function endOtherConnections(db: Database): Promise<void> {
  await db.transaction(async (transaction) => {
    // The address may set a role, which need not have a right to connections of the user that signs in.
    await transaction.execute(sql`SET LOCAL ROLE NONE`);
    // The address may also name all connections alike. The restore itself has only this one, and those of Citus to shards.
    await transaction.execute(sql`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND usename = session_user AND pid <> pg_backend_pid()
        AND backend_type = 'client backend' AND NOT starts_with(application_name, 'citus_')`);
  });
}

/**
 * Without statistics, PostgreSQL would plan queries on the new rows by guesses. After the commit, because Citus analyzes shards on
 * connections of their own, which do not see what a transaction has written.
 */
async function analyze(db: Database): Promise<void> {
  const tables = await listTables(db);
  await db.execute(sql.raw(`ANALYZE ${tables.map(({ name }) => name).join(", ")}`));
}

async function hasEnabledEndpoints(db: Executor): Promise<boolean> {
  const { id, status } = webhookEndpoints;
  const some = await db.select({ id }).from(webhookEndpoints).where(eq(status, "ENABLED")).limit(1);
  return some.length > 0;
}

function refuseUnopened(unopened: Awaited<ReturnType<RestoreOptions["verifySecrets"]>>): void {
  if (unopened === null) return;
  throw new Error(
    `ENCRYPTION_KEYS does not decrypt the backup's secrets: ${unopened.location}: ${unopened.reason}. ` +
      "Nothing was restored. Set the keys of the service that made the backup",
  );
}

/** Returns the target of COPY. The names come from the file, so it first checks that the database has them. */
function into(tables: readonly BackedUpTable[], { table, columns }: TableHead): string {
  const target = tables.find(({ name }) => name === table);
  const missing = target === undefined ? table : columns.find((column) => !target.columns.includes(column));
  if (missing !== undefined)
    throw new Error(`The database has no ${missing}, for which the backup has rows. Nothing was restored`);
  return `${table} (${columnList(columns)})`;
}
