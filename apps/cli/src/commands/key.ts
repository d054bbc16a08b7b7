import { Command } from "commander";
import { counted, printLine } from "../output.ts";
import { withService } from "../session.ts";
import { wholeNumber } from "./options.ts";

interface CreateOptions {
  name: string;
  expiresInDays?: number;
}

export function keyCommand(): Command {
  const key = new Command("key").description("manage API keys");
  key
    .command("create")
    .description("create an API key that acts as this user; prints it, once")
    .argument("<email>")
    .requiredOption("--name <name>", "what the key is for")
    .option("--expires-in-days <days>", "1 to 3650; by default, it does not expire", wholeNumber(1, 3650))
    .addHelpText(
      "after",
      '\nExample:\n  $ KEY=$(pnpm --silent purser key create sam@example.com --name "Nightly export")',
    )
    .action((email: string, { name, expiresInDays }: CreateOptions, command: Command) =>
      withService(command, async ({ auth }) => {
        const created = await auth.createApiKey(email, { name, expiresInDays });
        process.stderr.write(`Created the key ${created.id} of ${email}, which is not shown again:\n`);
        printLine(created.key);
      }),
    );
  key
    .command("revoke")
    .description("delete an API key of a user, or all of one user; it stops working immediately")
    .argument("[key-id]")
    .option("--user <email>", "all keys of this user")
    .addHelpText("after", "\nExample:\n  $ pnpm purser key revoke --user sam@example.com")
    .action((id: string | undefined, { user }: { user?: string }, command: Command) => {
      if ((id === undefined) === (user === undefined))
        command.error("error: pass the id of a key, or --user");
      return withService(command, async ({ platform }) => {
        const { revokeApiKey, revokeApiKeysOf } = await import("@purser/identity");
        if (user !== undefined) {
          const revoked = await revokeApiKeysOf(platform, user);
          printLine(`${counted(revoked, "key was", "keys were")} revoked.`);
        } else if (id !== undefined) {
          await revokeApiKey(platform, id);
          printLine(`${id} no longer works.`);
        }
      });
    });
  return key;
}
