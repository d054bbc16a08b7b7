import { Command } from "commander";
import { Progress, say } from "../output.ts";
import { withDatabase } from "../session.ts";

export function restoreCommand(): Command {
  return new Command("restore")
    .description("fill an empty database with a backup: all of it, or nothing")
    .argument("<file>", "as `purser backup` wrote it")
    .addHelpText(
      "after",
      `
Stop the service before. The database may be without tables, or migrated but empty. First the whole file is verified;
a file that is cut off or altered is refused. ENCRYPTION_KEYS and AUTH_SECRET have to be those of the service that
the backup is of. A backup of an older version is brought up to date. Jobs that were waiting run when the service
starts: a copy to look at needs SMTP_URL=none, and no providers.

Examples:
  $ pnpm purser restore purser-2026-11-21.backup
  $ DATABASE_URL=postgres://purser@db.internal/copy pnpm purser restore purser-2026-11-21.backup`,
    )
    .action((file: string, _options: object, command: Command) =>
      withDatabase(command, async (settings) => {
        const { findUndecryptable } = await import("@purser/platform/keys");
        const { migrateDatabase } = await import("@purser/platform");
        const { registeredJobs } = await import("@purser/service");
        const { restoreDatabase } = await import("@purser/db/backup");
        const progress = new Progress();
        const { tables, rows, isSameAuthSecret } = await restoreDatabase(settings, file, {
          migrate: (upTo) => migrateDatabase(settings, registeredJobs, upTo),
          verifySecrets: (db, isFilled) => findUndecryptable(db, settings.encryptionKeys, isFilled),
          onTable: (table, count) => progress.show(`${table}: ${count}`),
        }).finally(() => progress.end());
        say(`${rows} rows of ${tables} tables were restored.`);
        if (!isSameAuthSecret) process.stderr.write(otherSecret);
      }),
    );
}

const otherSecret =
  "warning: AUTH_SECRET is not the one that the backup was made with: " +
  "everybody has to sign in again, and second factors are not recognised\n";
