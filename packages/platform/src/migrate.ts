import { type Migration, directDatabaseAddress, migrate } from "@purser/db";
import type { JobDefinition } from "./jobs/definition.ts";
import { migrateJobs } from "./jobs/migrate.ts";
import type { Settings } from "./settings/platform-settings.ts";

/**
 * Brings tables, and the queues and schedules of these jobs, up to date, or the tables to an earlier migration. Several processes may
 * call it at once: one does the work.
 */
export async function migrateDatabase(
  settings: Settings,
  jobs: readonly JobDefinition[],
  upTo?: Migration,
): Promise<void> {
  const url = directDatabaseAddress(settings);
  await migrate(url, { upTo, andThen: () => migrateJobs(url, jobs) });
}
