import type { Logger } from "@purser/core";
import { type Migration, directDatabaseAddress, migrate } from "@purser/db";
import type { JobDefinition } from "./jobs/definition.ts";
import { migrateJobs } from "./jobs/migrate.ts";
import type { Settings } from "./settings/platform-settings.ts";

/**
 * Migrates the tables, to `upTo` or to the newest migration, and the queues and schedules of these jobs. Several
 * processes may call it at once: one migrates, the others wait. Returns the number of migrations that it applied. The logger
 * is warned while another transaction keeps a migration from altering a table, and while another process migrates. Throws
 * once the database does not respond.
 */
export async function migrateDatabase(
  settings: Settings,
  jobs: readonly JobDefinition[],
  { upTo, logger }: { upTo?: Migration | undefined; logger?: Pick<Logger, "warn"> } = {},
): Promise<number> {
  const url = directDatabaseAddress(settings);
  return migrate(url, { upTo, logger, andThen: (migrated) => migrateJobs(url, jobs, migrated) });
}
