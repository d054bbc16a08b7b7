import { Command } from "commander";
import { say } from "../output.ts";
import { withPlatform } from "../session.ts";

export function secondFactorCommand(): Command {
  const secondFactor = new Command("second-factor").description(
    "what people sign in with beside the password",
  );
  secondFactor
    .command("remove")
    .description("take it off an account, whose owner is told by mail and can set up a new one")
    .argument("[email]")
    .option("--all", "off every account, as after a change of AUTH_SECRET")
    .addHelpText(
      "after",
      `
Make sure that it is the owner who asks: the password alone is enough afterwards.

Example:
  $ pnpm purser second-factor remove sam@example.com`,
    )
    .action((email: string | undefined, { all = false }: { all?: boolean }, command: Command) => {
      if (all === (email !== undefined)) command.error("error: name one e-mail, or all with --all");
      return withPlatform(command, async ({ platform }) => {
        const { removeSecondFactor, removeSecondFactors } = await import("@purser/identity");
        if (email === undefined) {
          const removed = await removeSecondFactors(platform);
          say(removed === 1 ? "1 second factor was removed." : `${removed} second factors were removed.`);
        } else {
          await removeSecondFactor(platform, email);
          say(`${email} signs in without a second factor.`);
        }
      });
    });
  return secondFactor;
}
