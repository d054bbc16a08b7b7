import { fileURLToPath } from "node:url";
import { sql } from "drizzle-orm";
import { migrate as applyMigrations } from "drizzle-orm/postgres-js/migrator";
import { type Database, connect } from "./connection.ts";

/** Any number that all processes agree upon: who holds it migrates, the others wait. */
const migrationLock = 7_871_633_901;

interface MigrateOptions {
  /** Where the migrations lie; by default beside this package. */
  folder?: string | undefined;
  /** What else is to be brought up to date under the same lock. */
  andThen?: (db: Database) => Promise<void>;
}

/**
 * Brings a database up to date. Several processes may do so at once: one applies, the others find it done.
 *
 * The url leads to PostgreSQL itself, not to a pooler: the lock belongs to a session.
 */
export async function migrate(
  url: string,
  { folder = ownFolder, andThen }: MigrateOptions = {},
): Promise<void> {
  // A migration may take as long as it needs, and so may waiting for another process to have finished.
  const db = connect(url, { max: 1, statementTimeoutMs: 0, lockTimeoutMs: 0, idleInTransactionTimeoutMs: 0 });
  try {
    await db.execute(sql`SELECT pg_advisory_lock(${migrationLock})`);
    await applyMigrations(db, { migrationsFolder: folder });
    await andThen?.(db);
  } finally {
    await db.close();
  }
}

const ownFolder = fileURLToPath(new URL("../migrations", import.meta.url));
