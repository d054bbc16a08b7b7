import { Command } from "commander";
import { administratorCommand } from "./commands/administrator.ts";
import { backupCommand } from "./commands/backup.ts";
import { bankingCommand } from "./commands/banking.ts";
import { distributeCommand } from "./commands/distribute.ts";
import { inboxCommand } from "./commands/inbox.ts";
import { keysCommand } from "./commands/keys.ts";
import { keyCommand } from "./commands/key.ts";
import { migrateCommand } from "./commands/migrate.ts";
import { organizationCommand } from "./commands/organization.ts";
import { outboxCommand } from "./commands/outbox.ts";
import { restoreCommand } from "./commands/restore.ts";
import { secondFactorCommand } from "./commands/second-factor.ts";
import { seedCommand } from "./commands/seed.ts";
import { userCommand } from "./commands/user.ts";

const footer = `
Database:
  DATABASE_URL, as for the service. Without it, outside production, the embedded
  database of the development service. It is started for the command if needed.

Exit codes:
  0  success
  1  failed; the reason is on stderr
  2  wrong usage
  3  the named thing does not exist
  130  interrupted

Examples:
  $ pnpm purser migrate
  $ pnpm purser user create sam@example.com --name "Sam Reed"
  $ pnpm purser key create sam@example.com --name "Nightly export"
  $ pnpm purser administrator make sam@example.com
  $ pnpm purser outbox list --state dead
  $ pnpm purser keys rotate
  $ pnpm purser backup purser.backup`;

/** Creates the command line. It throws CommanderError instead of ending the process. */
export function createProgram(): Command {
  const program = new Command("purser")
    .description(
      "Operates a Purser service: database, users, API keys, jobs, webhooks, banks and encryption keys.",
    )
    .option("-v, --verbose", "print log lines, and the stack of an error")
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError("(run with --help for usage)")
    .addHelpText("after", footer);
  program.addCommand(migrateCommand());
  program.addCommand(distributeCommand());
  program.addCommand(seedCommand());
  program.addCommand(userCommand());
  program.addCommand(keyCommand());
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

/** Commands created elsewhere inherit neither help settings nor exit overrides. */
function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap((one) => everyCommand(one.copyInheritedSettings(command)))];
}
