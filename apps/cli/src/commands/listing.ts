import { type Command, InvalidArgumentError, Option } from "commander";

export interface ListOptions {
  limit: number;
  json?: boolean;
}

/** Adds the options of every list command. */
export function asList(command: Command): Command {
  return command
    .addOption(
      new Option("--limit <number>", "the number of rows, 1 to 1000").argParser(parseLimit).default(50),
    )
    .option("--json", "print JSON");
}

function parseLimit(text: string): number {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > 1000) throw new InvalidArgumentError("It must be a whole number from 1 to 1000.");
  return limit;
}
