/** Prints one line to stdout. */
export function printLine(line: string): void {
  process.stdout.write(`${printable(line)}\n`);
}

function printJson(value: unknown): void {
  // JSON leaves some of the characters that a terminal obeys as they are.
  const json = JSON.stringify(value, null, 2).replaceAll(
    /[\u007f-\u009f]/g,
    (control) => `\\u00${control.charCodeAt(0).toString(16)}`,
  );
  process.stdout.write(`${json}\n`);
}

type Row = Record<string, unknown>;

/** Prints a list as JSON, or as a table of these fields. */
export function printRows<Item extends object>(
  rows: readonly Item[],
  columns: readonly (keyof Item & string)[],
  { json = false }: { json?: boolean | undefined },
): void {
  if (json) return printJson(rows);
  const cells = rows.map((row) => columns.map((column) => cell((row as Row)[column])));
  const headings = columns.map((column) =>
    column.replaceAll(/[A-Z]/g, (capital) => ` ${capital}`).toUpperCase(),
  );
  const widths = headings.map((heading, index) =>
    Math.max(heading.length, ...cells.map((line) => line[index]!.length)),
  );
  for (const line of [headings, ...cells]) {
    printLine(
      line
        .map((text, index) => text.padEnd(widths[index]!))
        .join("  ")
        .trimEnd(),
    );
  }
  if (rows.length === 0) process.stderr.write("Nothing to show.\n");
}

/** Prints the fields of an object, one per line. Multi-line text is indented below its name. */
export function printFields(fields: object, { json = false }: { json?: boolean | undefined }): void {
  if (json) return printJson(fields);
  const entries = Object.entries(fields);
  const width = Math.max(...entries.map(([name]) => name.length));
  for (const [name, value] of entries) {
    if (typeof value === "object" && value !== null && !(value instanceof Date)) {
      printLine(`${name}:`);
      printIndented(value);
    } else printLine(`${name.padEnd(width)}  ${cell(value)}`);
  }
}

function printIndented(value: object): void {
  for (const [name, item] of Object.entries(value)) {
    const [first = "", ...more] = (typeof item === "string" ? item : JSON.stringify(item)).split("\n");
    printLine(`  ${name}: ${first}`);
    for (const line of more) printLine(`    ${line}`);
  }
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return "-";
  if (value instanceof Date) return value.toISOString();
  return printable(typeof value === "string" ? value : JSON.stringify(value));
}

/** Returns a number with the words for one or for many. */
export const counted = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;

/** Removes control characters, which a terminal would execute. Names and errors may contain any. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, " ");
}

/** Shows on a terminal what is running, and for how long. */
export async function withProgress<Value>(activity: string, work: () => Promise<Value>): Promise<Value> {
  if (!process.stderr.isTTY) return work();
  const start = performance.now();
  const progress = new Progress();
  const show = () => progress.show(`${activity}: ${Math.round((performance.now() - start) / 1000)} s`);
  show();
  const timer = setInterval(show, 1000);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    progress.end();
  }
}

/** Reports progress on stderr: a changing line in a terminal, otherwise one line per step. */
export class Progress {
  readonly #isTerminal = process.stderr.isTTY;
  #open = false;

  show(text: string): void {
    if (this.#isTerminal) process.stderr.write(`\r\u001b[K${printable(text)}`);
    else process.stderr.write(`${printable(text)}\n`);
    this.#open = this.#isTerminal;
  }

  end(): void {
    if (this.#open) process.stderr.write("\n");
    this.#open = false;
  }
}
