import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sql } from "drizzle-orm";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { PgDialect, type PgSession } from "drizzle-orm/pg-core";
import { connect } from "./connection/connect.ts";
import type { Database, Executor } from "./connection/database.ts";

/** The advisory lock of the process that migrates. Any constant works. */
const migrationLock = 7_871_633_901;

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
  /** Runs after the migrations, under the same lock. */
  andThen?: (db: Database) => Promise<void>;
}

/**
 * Migrates a database. Several processes may call it at once: one applies the migrations, the others wait for it.
 *
 * @param url The address of PostgreSQL itself, not of a pooler: the lock belongs to a session
 * @returns The number of migrations that this call applied
 */
export async function migrate(url: string, { upTo, andThen }: MigrateOptions = {}): Promise<number> {
  // Neither a migration nor the wait for another process has a time limit.
  const db = connect(url, { max: 1, statementTimeoutMs: 0, lockTimeoutMs: 0, idleInTransactionTimeoutMs: 0 });
  try {
    await db.execute(sql`SELECT pg_advisory_lock(${migrationLock})`);
    const all = readMigrationFiles({ migrationsFolder: folder });
    const wanted = all.filter(({ folderMillis }) => folderMillis <= (upTo?.when ?? Infinity));
    const newest = (await appliedMigration(db)) ?? -Infinity;
    // Drizzle's own `migrate` does the same, but can only apply a whole folder.
    const session = db._.session as unknown as PgSession;
    await new PgDialect().migrate(wanted, session, { migrationsFolder: folder });
    await andThen?.(db);
    return wanted.filter(({ folderMillis }) => folderMillis > newest).length;
  } finally {
    await db.close();
  }
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
