import { Command } from "commander";
import { Progress, say } from "../output.ts";
import { withDatabase } from "../session.ts";

export function backupCommand(): Command {
  return new Command("backup")
    .description("write the whole database, as it is at one moment, to a new file")
    .argument("<file>")
    .addHelpText(
      "after",
      `
The service goes on meanwhile; only migrating has to wait. The file is compressed, and only its owner can read it.
What has to stay apart from it, and is needed with it: ENCRYPTION_KEYS, which open what is sealed in it, and
AUTH_SECRET, by which people stay signed in and second factors are read. Neither is in the file.

Example:
  $ pnpm purser backup purser-$(date +%F).backup`,
    )
    .action((file: string, _options: object, command: Command) =>
      withDatabase(command, async (settings) => {
        const { backUpDatabase } = await import("@purser/db/backup");
        const progress = new Progress();
        const { tables, rows, bytes } = await backUpDatabase(settings, file, (table, count) =>
          progress.show(`${table}: ${count}`),
        ).finally(() => progress.end());
        say(`${file} has ${rows} rows of ${tables} tables, in ${bytes} bytes.`);
      }),
    );
}
