import { Command } from "commander";
import { printLine, printRows } from "../output.ts";
import { unverifiedOption } from "./options.ts";
import { withService } from "../session.ts";

export function administratorCommand(): Command {
  const administrator = new Command("administrator").description("manage administrators");
  administrator
    .command("make")
    .description("make a user an administrator, effective immediately")
    .argument("<email>")
    .option(...unverifiedOption)
    .addHelpText("after", "\nExample:\n  $ pnpm purser administrator make sam@example.com")
    .action((email: string, options: { unverified?: boolean }, command: Command) =>
      withService(command, async ({ auth }) => {
        await auth.makeAdministrator(email, options);
        printLine(`${email} is an administrator.`);
      }),
    );
  administrator
    .command("revoke")
    .description("remove the administrator role, effective immediately")
    .argument("<email>")
    .addHelpText("after", "\nExample:\n  $ pnpm purser administrator revoke sam@example.com")
    .action((email: string, _options: object, command: Command) =>
      withService(command, async ({ platform }) => {
        const { revokeAdministrator } = await import("@purser/identity");
        await revokeAdministrator(platform, email);
        printLine(`${email} is no longer an administrator.`);
      }),
    );
  administrator
    .command("list")
    .description("list all administrators")
    .option("--json", "print JSON")
    .action((options: { json?: boolean }, command: Command) =>
      withService(command, async ({ platform }) => {
        const { listAdministrators } = await import("@purser/identity");
        printRows(await listAdministrators(platform.db), ["email", "name", "id"], options);
      }),
    );
  return administrator;
}
