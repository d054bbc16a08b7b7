import { Command } from "commander";
import { expectFolderOf } from "../files.ts";
import { Progress, printLine } from "../output.ts";
import { withDatabase } from "../session.ts";

export function backupCommand(): Command {
  return new Command("backup")
    .description("write a consistent snapshot of the whole database to a new file")
    .argument("<file>")
    .addHelpText(
      "after",
      `
The service keeps running; only migrations wait, and on a Citus cluster, for a moment, changes.
The file is compressed and readable only by its owner.
It does not contain ENCRYPTION_KEYS, which decrypt its secrets, or AUTH_SECRET, which verifies sessions and
decrypts second factors. A restore needs both, so store them in another place.

Example:
  $ pnpm purser backup purser-$(date +%F).backup`,
    )
    .action((file: string, _options: object, command: Command) => {
      expectFolderOf(file);
      return withDatabase(command, async (settings) => {
        const { backUpDatabase } = await import("@purser/db/backup");
        const progress = new Progress();
        const { tables, rows, bytes } = await backUpDatabase(settings, file, (table, count) =>
          progress.show(`${table}: ${count}`),
        ).finally(() => progress.end());
        printLine(`${file} has ${rows} rows of ${tables} tables, in ${bytes} bytes.`);
      });
    });
}
