import { Command } from "commander";
import { say } from "../output.ts";
import { withPlatform } from "../session.ts";

export function organizationCommand(): Command {
  const organization = new Command("organization").description(
    "what only an operator may do to an organization",
  );
  organization
    .command("transfer")
    .description("make another user its creator; the one before stays an owner")
    .argument("<organization-id>")
    .argument("<email>", "of the user who becomes the creator")
    .addHelpText(
      "after",
      `
A creator cannot be deleted, demoted or removed; after this, the one before can.

Example:
  $ pnpm purser organization transfer org_01h2xcejqtf2nbrexx3vqjhp41 sam@example.com`,
    )
    .action((organizationId: string, email: string, _options: object, command: Command) =>
      withPlatform(command, async ({ platform }) => {
        const { transferOrganization } = await import("@purser/organizations");
        await transferOrganization(platform, { organizationId, toEmail: email.trim().toLowerCase() });
        say(`${email} is the creator of ${organizationId} now.`);
      }),
    );
  return organization;
}
