import { Command } from "commander";
import { printLine, withProgress } from "../output.ts";
import { withDatabase, withServiceOn } from "../session.ts";

export function seedCommand(): Command {
  return new Command("seed")
    .description("migrate a database and, if it is empty, fill it with demo data; never in production")
    .addHelpText("after", "\nExample:\n  $ pnpm purser seed")
    .action((_options: object, command: Command) =>
      withDatabase(
        command,
        async (settings) => {
          if (settings.production) throw new Error("Demo data is never written in production");
          const { demoPassword, demoPeople, registeredJobs, seedDemo } = await import("@purser/service");
          const { migrateDatabase } = await import("@purser/platform");
          await withProgress("Migrating", () => migrateDatabase(settings, registeredJobs));
          await withServiceOn(command, settings, async ({ platform, auth }) => {
            if (!(await withProgress("Writing the demo data", () => seedDemo(platform, auth))))
              throw new Error("The database is not empty and was not changed");
          });
          printLine(`The demo data is ready. All users have the password ${demoPassword}:`);
          for (const { email, name } of demoPeople) printLine(`  ${email}  ${name}`);
        },
        { creates: true },
      ),
    );
}
