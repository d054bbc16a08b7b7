import { Command } from "commander";
import { counted, printLine, withProgress } from "../output.ts";
import { withDatabase } from "../session.ts";

export function distributeCommand(): Command {
  return new Command("distribute")
    .description("place the tables of organizations on a Citus cluster")
    .addHelpText(
      "after",
      `
Run migrate first. DATABASE_URL leads to the coordinator, where the workers are added (citus_add_node).
Writes wait until it is done. Afterwards migrate also distributes new tables. Repeating it changes nothing.
docs/scaling.md says what is different on Citus, and what the servers need.

Example:
  $ DATABASE_URL=postgres://purser@coordinator.internal/purser pnpm purser distribute`,
    )
    .action((_options: object, command: Command) =>
      withDatabase(command, async (settings) => {
        const { directDatabaseAddress, distribute } = await import("@purser/db");
        const tables = await withProgress("Distributing", () => distribute(directDatabaseAddress(settings)));
        printLine(
          tables === 0
            ? "Every table of organizations is distributed."
            : `${counted(tables, "table was", "tables were")} distributed.`,
        );
      }),
    );
}
