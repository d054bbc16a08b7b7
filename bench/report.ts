import { readFile, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, totalmem } from "node:os";

const file = new URL("RESULTS.md", import.meta.url);
const lines: string[] = [];
const goals: Goal[] = [];

/** A figure and what was asked of it, in words. */
export interface Goal {
  what: string;
  measured: string;
  asked: string;
  holds: boolean;
}

/** Prints a line of figures, and keeps it for the report. */
export function say(line: string): void {
  lines.push(line);
  console.log(line);
}

/** Keeps a goal for the report, and lets the run fail where it is missed. Gives the verdict, to be printed. */
export function judged(goal: Goal): "reached" | "MISSED" {
  goals.push(goal);
  if (goal.holds) return "reached";
  process.exitCode = 1;
  return "MISSED";
}

/** Gives what will have been said and judged by the time that it is asked. */
export function saidSince(): () => { figures: string; goals: Goal[] } {
  const starts = [lines.length, goals.length] as const;
  return () => ({ figures: lines.slice(starts[0]).join("\n").trim(), goals: goals.slice(starts[1]) });
}

/**
 * Puts the figures of a part in the place of its earlier ones, and its goals among those of all parts; each part is
 * measured by itself, with its limit.
 */
export async function writeSection(
  part: string,
  { figures, goals: its }: { figures: string; goals: Goal[] },
): Promise<void> {
  let report = await readFile(file, "utf8");
  const text = [`### ${part}`, machine(), `\`\`\`text\n${figures}\n\`\`\``].join("\n\n");
  report = withSection(report, part, text);
  const others = goalRows(report).filter(([of]) => of !== part);
  const own = its.map(({ what, measured, asked, holds }) => [
    part,
    what,
    measured,
    asked,
    holds ? "reached" : "**missed**",
  ]);
  report = withSection(report, "goals", table([...others, ...own]));
  await writeFile(file, report);
}

/** What stands between two marks of the report, anew. */
function withSection(report: string, name: string, text: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const section = [begin, text, end].join("\n\n");
  const from = report.indexOf(begin);
  if (from === -1) return `${report.trimEnd()}\n\n${section}\n`;
  return report.slice(0, from) + section + report.slice(report.indexOf(end) + end.length);
}

const head = ["Part", "What", "Measured", "Asked for", "Verdict"];

/** The goals that stand in the report. */
function goalRows(report: string): string[][] {
  const [, its = ""] = /<!-- goals -->(.*)<!-- end of goals -->/s.exec(report) ?? [];
  const rows = its.trim().split("\n").slice(2);
  return rows.map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** A table in Markdown, in the order of its parts. */
function table(rows: string[][]): string {
  const sorted = rows.toSorted(([one = ""], [other = ""]) => one.localeCompare(other));
  const widths = head.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: string[]) =>
    `| ${widths.map((width, column) => (cells[column] ?? "").padEnd(width)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...sorted.map(line)].join("\n");
}

function machine(): string {
  const [cpu] = cpus();
  const gib = Math.round(totalmem() / 2 ** 30);
  const parts = [
    new Date().toISOString().slice(0, 10),
    `${availableParallelism()} × ${cpu?.model.trim() ?? "unknown processor"}`,
    `${gib} GiB`,
    `${process.platform} ${process.arch}`,
    `Node ${process.versions.node}`,
    "PostgreSQL 18 embedded",
  ];
  return `${parts.join(" · ")}.`;
}
