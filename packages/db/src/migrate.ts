import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sql } from "drizzle-orm";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { PgDialect, type PgSession } from "drizzle-orm/pg-core";
import { type Database, type Executor, connect } from "./connection/connect.ts";

/** Any number that all processes agree upon: who holds it migrates, the others wait. */
const migrationLock = 7_871_633_901;

/** One step of the schema's history. */
export interface Migration {
  /** Its name, such as `0001_append_only`. */
  tag: string;
  /** When it was written, in milliseconds since 1970: what the database remembers it by. */
  when: number;
}

interface MigrateOptions {
  /** The last one to be applied; by default all are. */
  upTo?: Migration | undefined;
  /** What else is to be brought up to date under the same lock. */
  andThen?: (db: Database) => Promise<void>;
}

/**
 * Brings a database up to date. Several processes may do so at once: one applies, the others find it done.
 *
 * The url leads to PostgreSQL itself, not to a pooler: the lock belongs to a session.
 */
export async function migrate(url: string, { upTo, andThen }: MigrateOptions = {}): Promise<void> {
  // A migration may take as long as it needs, and so may waiting for another process to have finished.
  const db = connect(url, { max: 1, statementTimeoutMs: 0, lockTimeoutMs: 0, idleInTransactionTimeoutMs: 0 });
  try {
    await db.execute(sql`SELECT pg_advisory_lock(${migrationLock})`);
    const all = readMigrationFiles({ migrationsFolder: folder });
    const wanted = all.filter(({ folderMillis }) => folderMillis <= (upTo?.when ?? Infinity));
    // What Drizzle's own `migrate` does, which can only take all of a folder.
    const session = db._.session as unknown as PgSession;
    await new PgDialect().migrate(wanted, session, { migrationsFolder: folder });
    await andThen?.(db);
  } finally {
    await db.close();
  }
}

/** Every migration that this version knows, oldest first. */
export function listMigrations(): Migration[] {
  const journal = JSON.parse(readFileSync(join(folder, "meta", "_journal.json"), "utf8")) as {
    entries: Migration[];
  };
  return journal.entries.map(({ tag, when }) => ({ tag, when }));
}

/** The newest migration that a database has, by its `when`; null where it has none. */
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
