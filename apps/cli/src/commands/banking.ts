import { Command } from "commander";
import { printRows } from "../output.ts";
import { withPlatform } from "../session.ts";
import { type ListOptions, asList } from "./listing.ts";

export function bankingCommand(): Command {
  const banking = new Command("banking").description("what banks have said");
  asList(banking.command("quarantine"))
    .description(
      "show what banks said that cannot be true, and what they left out; the ledger is unchanged by it",
    )
    .addHelpText(
      "after",
      `
Reasons:
  DIFFERENT_AMOUNT     an id that is known came with another amount, direction or currency
  MISSING_FROM_WINDOW  a booked transaction is not listed any more for its days

An entry goes when the bank says again what the ledger has.

Example:
  $ pnpm purser banking quarantine --json`,
    )
    .action((options: ListOptions, command: Command) =>
      withPlatform(command, async ({ platform }) => {
        const { listQuarantine } = await import("@purser/banking");
        const columns = [
          "organizationId",
          "accountId",
          "externalId",
          "reason",
          "firstSeenAt",
          "lastSeenAt",
        ] as const;
        printRows(await listQuarantine(platform.db, options.limit), columns, options);
      }),
    );
  return banking;
}
