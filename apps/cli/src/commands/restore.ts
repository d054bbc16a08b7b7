import { Command } from "commander";
import { expectFile } from "../files.ts";
import { Progress, printLine, printable } from "../output.ts";
import { withDatabase } from "../session.ts";

export function restoreCommand(): Command {
  return new Command("restore")
    .description("restore a backup into an empty database, completely or not at all")
    .argument("<file>", "written by `purser backup`")
    .addHelpText(
      "after",
      `
Stop the service first. The database must have no tables, or be migrated and empty. The whole file is verified before
anything is written; a truncated or changed file is rejected. ENCRYPTION_KEYS and AUTH_SECRET must be those of the
service that made the backup. A backup of an older version is migrated. Waiting jobs run when the service starts, and
customers' endpoints get webhooks. So a copy for inspection needs ROLE=server, SMTP_URL=none and no providers. Put it on
another server than production: until a restore ends, the events of all databases on its server wait.

Examples:
  $ pnpm purser restore purser-2026-11-21.backup
  $ DATABASE_URL=postgres://purser@test-db.internal/copy pnpm purser restore purser-2026-11-21.backup`,
    )
    .action((file: string, _options: object, command: Command) => {
      expectFile(file);
      return withDatabase(
        command,
        async (settings) => {
          const { findUndecryptable } = await import("@purser/platform/keys");
          const { migrateDatabase } = await import("@purser/platform");
          const { registeredJobs } = await import("@purser/service");
          const { restoreDatabase } = await import("@purser/db/backup");
          const progress = new Progress();
          const restored = await restoreDatabase(settings, file, {
            migrate: (upTo) => migrateDatabase(settings, registeredJobs, { upTo }),
            verifySecrets: (db, isFilled) => findUndecryptable(db, settings.encryptionKeys, isFilled),
            onTable: (table, count) => progress.show(`${table}: ${count}`),
            onWarning(message) {
              progress.end();
              process.stderr.write(`warning: ${printable(message)}\n`);
            },
          }).finally(() => progress.end());
          printLine(`${restored.rows} rows of ${restored.tables} tables were restored.`);
          process.stderr.write(revokedSince(restored.madeAt));
          if (!restored.isSameAuthSecret) process.stderr.write(differentSecret);
          if (restored.sendsWebhooks) process.stderr.write(enabledEndpoints);
        },
        { creates: true },
      );
    });
}

const revokedSince = (madeAt: string) =>
  `warning: The backup was made at ${madeAt}. What was revoked since then is valid again: sessions, passwords, API keys, ` +
  "members and roles (see: docs/operations.md, After a restore)\n";

const differentSecret =
  "warning: AUTH_SECRET differs from the one of the backup. All users must sign in again, " +
  "and their second factors no longer work (see: purser second-factor remove --all)\n";

const enabledEndpoints =
  "warning: Webhook endpoints are enabled, and get events from a service that starts on this database. " +
  "If it is a copy, start only processes with ROLE=server on it\n";
