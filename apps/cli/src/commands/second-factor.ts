import { Command } from "commander";
import { counted, printLine } from "../output.ts";
import { withService } from "../session.ts";

export function secondFactorCommand(): Command {
  const secondFactor = new Command("second-factor").description("manage second factors");
  secondFactor
    .command("remove")
    .description("remove the second factor of an account; its owner gets a mail and can set up a new one")
    .argument("[email]")
    .option("--all", "of every account, for example after a change of AUTH_SECRET")
    .addHelpText(
      "after",
      `
Verify that the request comes from the owner. Afterwards the password alone is enough to sign in.

Example:
  $ pnpm purser second-factor remove sam@example.com`,
    )
    .action((email: string | undefined, { all = false }: { all?: boolean }, command: Command) => {
      if (all === (email !== undefined)) command.error("error: pass one e-mail address, or --all");
      return withService(command, async ({ platform }) => {
        const { removeSecondFactor, removeSecondFactors } = await import("@purser/identity");
        if (email === undefined) {
          const removed = await removeSecondFactors(platform);
          printLine(`${counted(removed, "second factor was", "second factors were")} removed.`);
        } else {
          await removeSecondFactor(platform, email);
          printLine(`${email} now signs in without a second factor.`);
        }
      });
    });
  return secondFactor;
}
