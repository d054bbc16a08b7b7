import { Command } from "commander";
import { counted, printLine, withProgress } from "../output.ts";
import { withDatabase, writeLogLine } from "../session.ts";

export function migrateCommand(): Command {
  return new Command("migrate")
    .description("create or update the database: tables, job queues and schedules")
    .addHelpText(
      "after",
      `
Migrations only move forward. They are safe while the service or another migration runs.
Behind PgBouncer, set DIRECT_DATABASE_URL; the command prefers it.

Example:
  $ DATABASE_URL=postgres://purser@db.internal/purser pnpm purser migrate`,
    )
    .action((_options: object, command: Command) =>
      withDatabase(
        command,
        async (settings) => {
          const { migrateDatabase } = await import("@purser/platform");
          const { registeredJobs } = await import("@purser/service");
          const applied = await withProgress("Migrating", () =>
            migrateDatabase(settings, registeredJobs, { logger: { warn: writeLogLine } }),
          );
          printLine(
            applied === 0
              ? "The database is up to date."
              : `${counted(applied, "migration was", "migrations were")} applied. The database is up to date.`,
          );
        },
        { creates: true },
      ),
    );
}
