import { type Database, connect, migrate } from "@purser/db";
import { migrateJobs } from "./jobs.ts";
import type { Settings } from "./settings.ts";

/** Opens the pool that these settings describe. A statement limit of 0 milliseconds is none; the default is 5,000. */
export function openDatabase(settings: Settings, statementTimeoutMs = 5000): Database {
  return connect(databaseAddress(settings), {
    max: settings.databasePoolSize,
    prepare: settings.databasePrepare,
    statementTimeoutMs,
  });
}

/** Brings tables, job queues and schedules up to date. Safe in several processes at once: one does it. */
export async function migrateDatabase(settings: Settings): Promise<void> {
  const url = settings.directDatabaseUrl ?? databaseAddress(settings);
  await migrate(url, { andThen: () => migrateJobs(url) });
}

function databaseAddress({ databaseUrl }: Settings): string {
  if (databaseUrl === null)
    throw new Error("There is no database address; the embedded PostgreSQL was not started");
  return databaseUrl;
}
