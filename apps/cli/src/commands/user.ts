import { randomBytes } from "node:crypto";
import { text } from "node:stream/consumers";
import { Command } from "commander";
import { printLine } from "../output.ts";
import { withService } from "../session.ts";

interface CreateOptions {
  name: string;
  passwordStdin?: boolean;
}

export function userCommand(): Command {
  const user = new Command("user").description("manage users");
  user
    .command("create")
    .description("create a user whose address counts as confirmed; prints a new password, once")
    .argument("<email>")
    .requiredOption("--name <name>", "the user's name")
    .option("--password-stdin", "read the password from stdin instead")
    .addHelpText("after", '\nExample:\n  $ pnpm purser user create sam@example.com --name "Sam Reed"')
    .action((email: string, { name, passwordStdin = false }: CreateOptions, command: Command) =>
      withService(command, async ({ auth }) => {
        const password = passwordStdin
          ? (await text(process.stdin)).replace(/\r?\n$/, "")
          : randomBytes(15).toString("base64url");
        await auth.createUser({ email, name, password, emailVerified: true });
        process.stderr.write(
          `Created ${email}.${passwordStdin ? "" : " The password, which is not shown again:"}\n`,
        );
        if (!passwordStdin) printLine(password);
      }),
    );
  return user;
}
