import { Command } from "commander";
import { counted, printLine, withProgress } from "../output.ts";
import { withDatabase, withService } from "../session.ts";
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
  organization
    .command("move")
    .description("on a Citus cluster: move an organization, and those in its shards, to another node")
    .argument("<organization-id>")
    .option("--to <host:port>", "the node; default: the one with the fewest shards")
    .option("--blocks-writes", "keep changes waiting for the whole copy; needs no wal_level = logical")
    .addHelpText(
      "after",
      `
The service may run. Do not use Citus's own functions and its rebalancer instead: they do not keep the
order of events, so webhooks and readers of the feed would miss some.

Example:
  $ pnpm purser organization move org_01h2xcejqtf2nbrexx3vqjhp41 --to worker-2.internal:5432`,
    )
    .action((organizationId: string, options: { to?: string; blocksWrites?: boolean }, command: Command) =>
      withDatabase(command, async (settings) => {
        const { moveOrganization } = await import("@purser/db");
        const moved = await withProgress("Moving", () =>
          moveOrganization(settings, { organizationId, ...options }),
        );
        const which = counted(moved.organizations, "organization", "organizations");
        printLine(`${which} moved from ${moved.from} to ${moved.to}.`);
      }),
    );
  return organization;
}
