import { Command } from "commander";
import { administratorCommand } from "./commands/administrator.ts";
import { backupCommand } from "./commands/backup.ts";
import { bankingCommand } from "./commands/banking.ts";
import { inboxCommand } from "./commands/inbox.ts";
import { keysCommand } from "./commands/keys.ts";
import { migrateCommand } from "./commands/migrate.ts";
import { organizationCommand } from "./commands/organization.ts";
import { outboxCommand } from "./commands/outbox.ts";
import { restoreCommand } from "./commands/restore.ts";
import { secondFactorCommand } from "./commands/second-factor.ts";
import { seedCommand } from "./commands/seed.ts";

const footer = `
Database:
  DATABASE_URL, as for the service. Outside production, without it, the database of
  the development service: the one that runs, or one that is started for the command.

Exit codes:
  0  done
  1  failed; the reason is on stderr
  2  the command line is not understood
  3  what was named does not exist

Examples:
  $ pnpm purser migrate
  $ pnpm purser administrator make sam@example.com
  $ pnpm purser outbox list --state dead
  $ pnpm purser keys rotate
  $ pnpm purser backup purser.backup`;

/** The whole command line. It throws CommanderError instead of ending the process. */
export function createProgram(): Command {
  const program = new Command("purser")
    .description(
      "Operates a Purser service: its database, its people, its mail, webhooks and banks, its keys.",
    )
    .option("-v, --verbose", "show what happens, and the stack of an error")
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError("(--help shows how it is used)")
    .addHelpText("after", footer);
  program.addCommand(migrateCommand());
  program.addCommand(seedCommand());
  program.addCommand(administratorCommand());
  program.addCommand(secondFactorCommand());
  program.addCommand(organizationCommand());
  program.addCommand(outboxCommand());
  program.addCommand(inboxCommand());
  program.addCommand(bankingCommand());
  program.addCommand(keysCommand());
  program.addCommand(backupCommand());
  program.addCommand(restoreCommand());
  for (const command of everyCommand(program)) command.exitOverride();
  return program;
}

/** Neither help behaviour nor exits are inherited by commands that were made elsewhere. */
function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap((one) => everyCommand(one.copyInheritedSettings(command)))];
}
