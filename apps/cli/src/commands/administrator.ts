import { Command } from "commander";
import { printRows, say } from "../output.ts";
import { withPlatform } from "../session.ts";

export function administratorCommand(): Command {
  const administrator = new Command("administrator").description("who may use the administrator procedures");
  administrator
    .command("make")
    .description("make the user with this e-mail an administrator, at once")
    .argument("<email>")
    .addHelpText("after", "\nExample:\n  $ pnpm purser administrator make sam@example.com")
    .action((email: string, _options: object, command: Command) =>
      withPlatform(command, async ({ auth }) => {
        await auth.makeAdministrator(email);
        say(`${email} is an administrator.`);
      }),
    );
  administrator
    .command("revoke")
    .description("take the administrator's role away again, at once")
    .argument("<email>")
    .addHelpText("after", "\nExample:\n  $ pnpm purser administrator revoke sam@example.com")
    .action((email: string, _options: object, command: Command) =>
      withPlatform(command, async ({ platform }) => {
        const { revokeAdministrator } = await import("@purser/identity");
        await revokeAdministrator(platform, email);
        say(`${email} is not an administrator any more.`);
      }),
    );
  administrator
    .command("list")
    .description("show every administrator")
    .option("--json", "print JSON")
    .action((options: { json?: boolean }, command: Command) =>
      withPlatform(command, async ({ platform }) => {
        const { listAdministrators } = await import("@purser/identity");
        printRows(await listAdministrators(platform.db), ["email", "name", "id"], options);
      }),
    );
  return administrator;
}
