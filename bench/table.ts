import type { Figure } from "./calls.ts";
import { median } from "./alternate.ts";
import { inRounds } from "./load.ts";
import { reportLine, recordGoal } from "./report.ts";

/** What is measured, and what share of the limit it is to reach, where one is set. */
export type TableRow = readonly [name: string, take: () => Promise<Figure>, goal?: number];

const rounds = 9;

/**
 * Measures and prints figures next to the row that is their limit; a missed goal makes the run fail. A share is the median of
 * those of each round, in which all rows meet the same noise.
 */
export async function measureTable(
  title: string,
  limitName: string,
  rows: TableRow[],
  atOnce = 20,
): Promise<Figure[]> {
  const measured = await inRounds(
    rounds,
    rows.map(([, take]) => take),
  );
  const limit = measured[rows.findIndex(([name]) => name === limitName)]!;
  const figures = measured.map(medianOf);
  reportLine(`\n${title}: median of ${rounds} rounds, ${atOnce} at a time; share of "${limitName}"\n`);
  reportLine(line("", "requests/s", "share", "p50 ms", "p99 ms", "to reach"));
  for (const [index, [name, , goal]] of rows.entries()) {
    const { requestsPerSecond, p50, p99 } = figures[index]!;
    const share = median(
      measured[index]!.map((figure, round) => figure.requestsPerSecond / limit[round]!.requestsPerSecond),
    );
    const verdict =
      goal === undefined
        ? ""
        : `${goal.toFixed(2)} ${recordGoal({
            what: `${title}: ${name}`,
            measured: `${share.toFixed(2)} of "${limitName}"`,
            goal: `at least ${goal.toFixed(2)}`,
            holds: share >= goal,
          })}`;
    reportLine(
      line(name, requestsPerSecond.toFixed(0), share.toFixed(2), p50.toFixed(2), p99.toFixed(2), verdict),
    );
  }
  return figures;
}

function medianOf(figures: readonly Figure[]): Figure {
  const of = (name: keyof Figure) => median(figures.map((figure) => figure[name]));
  return { requestsPerSecond: of("requestsPerSecond"), p50: of("p50"), p99: of("p99") };
}

/** Formats a table row for the console. */
export function line(name: string, ...cells: string[]): string {
  return name.padEnd(46) + cells.map((cell) => cell.padStart(14)).join("");
}
