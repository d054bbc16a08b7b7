import { type Command, Option } from "commander";
import { printRows } from "../output.ts";
import { wholeNumber } from "./options.ts";

export interface ListOptions {
  limit: number;
  json?: boolean;
}

/** Adds the options of every list command. */
export function asList(command: Command): Command {
  return command
    .addOption(
      new Option("--limit <number>", "the number of rows, 1 to 1000")
        .argParser(wholeNumber(1, 1000))
        .default(50),
    )
    .option("--json", "print JSON");
}

/** Reads and prints a list, and says on stderr if it does not end there. */
export async function showList<Item extends object>(
  read: (limit: number) => Promise<Item[]>,
  columns: readonly (keyof Item & string)[],
  options: ListOptions,
): Promise<void> {
  const { limit } = options;
  const rows = await read(limit + 1);
  printRows(rows.slice(0, limit), columns, options);
  if (rows.length > limit)
    process.stderr.write(
      `There are more than ${limit}.${limit < 1000 ? " Pass --limit, up to 1000." : ""}\n`,
    );
}
