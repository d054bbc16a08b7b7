import { Command } from "commander";
import { printLine } from "../output.ts";
import { withService } from "../session.ts";
import { unverifiedOption } from "./options.ts";

export function organizationCommand(): Command {
  const organization = new Command("organization").description("manage organizations");
  organization
    .command("transfer")
    .description("make another user the creator; the previous creator stays an owner")
    .argument("<organization-id>")
    .argument("<email>", "the new creator")
    .option(...unverifiedOption)
    .addHelpText(
      "after",
      `
A creator cannot be deleted, demoted or removed. After the transfer, the previous creator can.

Example:
  $ pnpm purser organization transfer org_01h2xcejqtf2nbrexx3vqjhp41 sam@example.com`,
    )
    .action((organizationId: string, email: string, options: { unverified?: boolean }, command: Command) =>
      withService(command, async ({ platform }) => {
        const { transferOrganization } = await import("@purser/organizations");
        await transferOrganization(platform, { organizationId, toEmail: email, ...options });
        printLine(`${email} is now the creator of ${organizationId}.`);
      }),
    );
  return organization;
}
