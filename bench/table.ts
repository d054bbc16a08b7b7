import type { Figure } from "./calls.ts";
import { median } from "./alternate.ts";
import { inRounds } from "./load.ts";
import { reportLine, recordGoal } from "./report.ts";

/** What is measured, and what share of the limit it is to reach, where one is set. */
export type TableRow = readonly [name: string, take: () => Promise<Figure>, goal?: number];

const rounds = 9;

/** Measures and prints a {@link Table} at once. */
export async function measureTable(
  title: string,
  limitName: string,
  rows: TableRow[],
  atOnce?: number,
): Promise<Figure[]> {
  const table = new Table(title, limitName, atOnce);
  await table.measure(rows, rounds);
  return table.report();
}

/**
 * Figures next to the row that is their limit; a missed goal makes the run fail. A share is the median of those of each round,
 * in which all rows meet the same noise.
 */
export class Table {
  readonly #title: string;
  readonly #limitName: string;
  readonly #atOnce: number;
  /** By row, the figures of all rounds. */
  readonly #measured = new Map<string, { goal: number | undefined; figures: Figure[] }>();

  constructor(title: string, limitName: string, atOnce = 20) {
    this.#title = title;
    this.#limitName = limitName;
    this.#atOnce = atOnce;
  }

  /** Measures every row once in each round. Call it several times to measure the same rows in other processes too. */
  async measure(rows: readonly TableRow[], count: number): Promise<void> {
    const measured = await inRounds(
      count,
      rows.map(([, take]) => take),
    );
    for (const [index, [name, , goal]] of rows.entries()) {
      const earlier = this.#measured.get(name)?.figures ?? [];
      this.#measured.set(name, { goal, figures: [...earlier, ...measured[index]!] });
    }
  }

  /** Prints and records the table. Returns the median figure of each row. */
  report(): Figure[] {
    const limit = this.#measured.get(this.#limitName)!.figures;
    const about = `median of ${limit.length} rounds, ${this.#atOnce} at a time; share of "${this.#limitName}"`;
    reportLine(`\n${this.#title}: ${about}\n`);
    reportLine(line("", "requests/s", "share", "p50 ms", "p99 ms", "to reach"));
    return [...this.#measured].map(([name, { goal, figures }]) => {
      const figure = medianOf(figures);
      const { requestsPerSecond, p50, p99 } = figure;
      const share = median(figures.map((one, nth) => one.requestsPerSecond / limit[nth]!.requestsPerSecond));
      const verdict = goal === undefined ? "" : this.#verdict(name, share, goal);
      reportLine(
        line(name, requestsPerSecond.toFixed(0), share.toFixed(2), p50.toFixed(2), p99.toFixed(2), verdict),
      );
      return figure;
    });
  }

  #verdict(name: string, share: number, goal: number): string {
    const verdict = recordGoal({
      what: `${this.#title}: ${name}`,
      measured: `${share.toFixed(2)} of "${this.#limitName}"`,
      goal: `at least ${goal.toFixed(2)}`,
      holds: share >= goal,
    });
    return `${goal.toFixed(2)} ${verdict}`;
  }
}

function medianOf(figures: readonly Figure[]): Figure {
  const of = (name: keyof Figure) => median(figures.map((figure) => figure[name]));
  return { requestsPerSecond: of("requestsPerSecond"), p50: of("p50"), p99: of("p99") };
}

/** Formats a table row for the console. */
export function line(name: string, ...cells: string[]): string {
  return name.padEnd(46) + cells.map((cell) => cell.padStart(14)).join("");
}
