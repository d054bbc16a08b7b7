import type { bankQuarantineReasons } from "@purser/core";
import { Command } from "commander";
import { withService } from "../session.ts";
import { type ListOptions, asList, showList } from "./listing.ts";

const reasons: Record<(typeof bankQuarantineReasons)[number], string> = {
  DIFFERENT_AMOUNT: "a known id was sent with another amount, direction or currency",
  MISSING_FROM_WINDOW:
    "a booked transaction is no longer listed for its day, or never was after a merge of accounts",
  UNREADABLE:
    "an account or a transaction has no readable amount, currency or day, or the bank refuses an account",
  UNKNOWN_ACCOUNT: "a transaction belongs to an account that the bank does not list",
};

export function bankingCommand(): Command {
  const banking = new Command("banking").description("inspect bank data");
  asList(banking.command("quarantine"))
    .description("list bank data that contradicts the ledger, is missing or cannot be read")
    .addHelpText(
      "after",
      `
Reasons:
${Object.entries(reasons)
  .map(([reason, meaning]) => `  ${reason.padEnd(19)}  ${meaning}`)
  .join("\n")}

An entry is removed when the bank's data agrees with the ledger again.

Example:
  $ pnpm purser banking quarantine --json`,
    )
    .action((options: ListOptions, command: Command) =>
      withService(command, async ({ platform }) => {
        const { listQuarantine } = await import("@purser/banking");
        const columns = [
          "organizationId",
          "accountId",
          "externalId",
          "reason",
          "firstSeenAt",
          "lastSeenAt",
        ] as const;
        await showList((limit) => listQuarantine(platform.db, limit), columns, options);
      }),
    );
  return banking;
}
