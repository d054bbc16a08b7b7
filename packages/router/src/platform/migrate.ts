import { type Migration, directDatabaseAddress, migrate } from "@purser/db";
import { migrateJobs } from "./jobs.ts";
import type { Settings } from "./settings.ts";

/**
 * Brings tables, job queues and schedules up to date, or the tables to an earlier migration. Several processes may
 * call it at once: one does the work.
 */
export async function migrateDatabase(settings: Settings, upTo?: Migration): Promise<void> {
  const url = directDatabaseAddress(settings);
  await migrate(url, { upTo, andThen: () => migrateJobs(url) });
}
