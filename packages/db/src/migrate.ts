import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { DrizzleQueryError, sql } from "drizzle-orm";
import { type MigrationMeta, readMigrationFiles } from "drizzle-orm/migrator";
import { PgDialect, type PgSession } from "drizzle-orm/pg-core";
import type { Database, Executor } from "./connection/database.ts";
import { sqlState } from "./connection/failure.ts";
import { countDistributed, distributingTables, hasCitus, isDistributed } from "./distribute.ts";
import { type MigrationLogger, migratingAlone, whileResponding } from "./migration-lock.ts";

/**
 * How long a migration waits for the lock of a table. Everything that uses the table queues behind it, so this is less than
 * a decision on a purchase waits for a lock.
 */
export const migrationLockTimeoutMs = 500;
/** Until the next attempt. What has queued up runs meanwhile. */
const lockPauseMs = 1500;

/** One step of the schema's history. */
export interface Migration {
  /** The name, such as `0001_append_only`. */
  tag: string;
  /** When it was written, in milliseconds since 1970. The database identifies it by this number. */
  when: number;
}

interface MigrateOptions {
  /** The last migration to apply. Default: the newest. */
  upTo?: Migration | undefined;
  /**
   * Gets a warning for each attempt that ended because another transaction used a table, and while another process migrates.
   * Default: none.
   */
  logger?: MigrationLogger | undefined;
  /** Runs after the migrations. */
  andThen?: (migrated: MigratedDatabase) => Promise<void>;
}

/** A database whose migrations are complete. */
export interface MigratedDatabase {
  /** Tells connections that the database does not respond (`ConnectOptions`). */
  lostBefore: () => number;
  /** Whether it has migrations of a later version. */
  isOfLaterVersion: boolean;
}

/**
 * Migrates a database. Several processes may call it at once: one applies the migrations, the others wait for it. If none is
 * pending, it returns at once. It waits for transactions that use a table which it alters, however long they take, and lets
 * others use the table meanwhile. Each migration is a transaction of its own, so none keeps a lock while the next ones run,
 * and what is applied stays. Throws once the database does not respond.
 *
 * @param url The address of PostgreSQL itself, not of a pooler: the lock belongs to a session
 * @returns The number of migrations that this call applied
 */
export function migrate(url: string, { upTo, logger, andThen }: MigrateOptions = {}): Promise<number> {
  return whileResponding(url, async (database) => {
    let applied = 0;
    // A process may have ended between a new table and its distribution.
    if ((await listPending(database.db, upTo)).length > 0 || (await isDistributed(database.db)))
      applied = await migratingAlone(database, (db) => applyPending(db, upTo, logger), logger);
    const newest = (await appliedMigration(database.db)) ?? 0;
    const isOfLaterVersion = newest > listMigrations().at(-1)!.when;
    await andThen?.({ lostBefore: database.lostBefore, isOfLaterVersion });
    return applied;
  });
}

async function listPending(db: Database, upTo: Migration | undefined): Promise<MigrationMeta[]> {
  const newest = (await appliedMigration(db)) ?? -Infinity;
  return readMigrationFiles({ migrationsFolder: folder }).filter(
    ({ folderMillis }) => folderMillis > newest && folderMillis <= (upTo?.when ?? Infinity),
  );
}

async function applyPending(
  db: Database,
  upTo: Migration | undefined,
  logger: MigrationLogger | undefined,
): Promise<number> {
  // Another process may have applied some while this one waited.
  const pending = await listPending(db, upTo);
  const isPlaced = await isDistributed(db);
  // A migration may create a trigger, which Citus allows only to those who ask for it.
  if (isPlaced) await db.execute(sql`SET citus.enable_unsafe_triggers = on`);
  await limitLocks(db, migrationLockTimeoutMs);
  for (const each of pending) await applyMigration(db, isPlaced ? distributing(each) : each, logger);
  if (isPlaced)
    await retryLocked(logger, () =>
      db.transaction((transaction) => transaction.execute(sql.raw(distributingTables))),
    );
  return pending.length;
}

/**
 * Applies a migration, and records it where Drizzle does. One that builds an index `CONCURRENTLY` has no transaction, and no
 * limit for its waits: no other statement queues behind them.
 */
export async function applyMigration(
  db: Database,
  migration: MigrationMeta,
  logger?: MigrationLogger,
): Promise<void> {
  const isConcurrent = migration.sql.some((statement) =>
    /^\s*CREATE (UNIQUE )?INDEX CONCURRENTLY\b/im.test(statement),
  );
  if (isConcurrent) {
    await limitLocks(db, 0);
    for (const statement of migration.sql) await db.execute(sql.raw(statement));
    await limitLocks(db, migrationLockTimeoutMs);
  }
  // Drizzle's own `migrate` would apply a whole folder, in one transaction.
  const step = isConcurrent ? { ...migration, sql: [] } : migration;
  const session = db._.session as unknown as PgSession;
  await retryLocked(logger, () => new PgDialect().migrate([step], session, { migrationsFolder: folder }));
}

const limitLocks = (db: Database, ms: number) => db.execute(sql.raw(`SET lock_timeout = ${ms}`));

/** Repeats a transaction until it gets its locks. Each attempt changes everything or nothing. */
async function retryLocked(logger: MigrationLogger | undefined, run: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await run();
      return;
    } catch (error) {
      if (sqlState(error) !== lockTimedOut) throw error;
      const statement = error instanceof DrizzleQueryError ? error.query : undefined;
      logger?.warn(
        { statement },
        "A migration waits for a transaction that uses the same table. It is tried again",
      );
    }
    await sleep(lockPauseMs);
  }
}

const lockTimedOut = "55P03";

/**
 * Distributes the tables of an empty or filled database over the servers of its Citus cluster. Afterwards `migrate`
 * distributes new tables. Returns the number of tables that this call distributed.
 *
 * @param url The address of the coordinator itself, not of a pooler
 */
export function distribute(url: string): Promise<number> {
  return whileResponding(url, (database) =>
    migratingAlone(database, async (db) => {
      if (!(await hasCitus(db))) {
        throw new Error(
          "The database has no Citus: run CREATE EXTENSION citus on every server, and add the workers on the coordinator",
        );
      }
      return db.transaction(async (transaction) => {
        const before = await countDistributed(transaction);
        await transaction.execute(sql.raw(distributingTables));
        return (await countDistributed(transaction)) - before;
      });
    }),
  );
}

/** A migration with a step after each new table that distributes it, before foreign keys refer to it. */
function distributing(migration: MigrationMeta): MigrationMeta {
  const steps = migration.sql.flatMap((statement) =>
    /^\s*CREATE TABLE\b/im.test(statement) ? [statement, distributingTables] : [statement],
  );
  return { ...migration, sql: steps };
}

/** Lists the migrations of this version, oldest first. */
export function listMigrations(): Migration[] {
  const journal = JSON.parse(readFileSync(join(folder, "meta", "_journal.json"), "utf8")) as {
    entries: Migration[];
  };
  return journal.entries.map(({ tag, when }) => ({ tag, when }));
}

/** Returns the `when` of the newest migration of a database, or null if it has none. */
export async function appliedMigration(db: Executor): Promise<number | null> {
  const [known] = await db.execute<{ exists: boolean }>(
    sql`SELECT to_regclass('drizzle.__drizzle_migrations') IS NOT NULL AS exists`,
  );
  if (!known?.exists) return null;
  const [newest] = await db.execute<{ when: string | null }>(
    sql`SELECT max(created_at) AS when FROM drizzle.__drizzle_migrations`,
  );
  return newest!.when === null ? null : Number(newest!.when);
}

const folder = fileURLToPath(new URL("../migrations", import.meta.url));
