import { Command } from "commander";
import { counted, printLine, withProgress } from "../output.ts";
import { withDatabase } from "../session.ts";

export function distributeCommand(): Command {
  return new Command("distribute")
    .description("experimental, not in production: place the tables of organizations on a Citus cluster")
    .addHelpText(
      "after",
      `
Run migrate first. DATABASE_URL leads to the coordinator, where the workers are added (citus_add_node).
Writes wait until it is done. Afterwards migrate also distributes new tables. Repeating it changes nothing.
docs/scaling.md says what works on Citus, and what does not yet.

Example:
  $ DATABASE_URL=postgres://purser@coordinator.internal/purser pnpm purser distribute`,
    )
    .action((_options: object, command: Command) =>
      withDatabase(command, async (settings) => {
        if (settings.production)
          throw new Error(
            "Purser on Citus is not ready for production: docs/scaling.md says what does not work there",
          );
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
