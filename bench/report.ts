import { readFile, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, totalmem } from "node:os";

const file = new URL("RESULTS.md", import.meta.url);
const lines: string[] = [];
const goals: Goal[] = [];

/** A measured value and its goal, as text. */
export interface Goal {
  what: string;
  measured: string;
  goal: string;
  holds: boolean;
}

/** Prints a line of figures and records it for the report. */
export function reportLine(line: string): void {
  lines.push(line);
  console.log(line);
}

/** Records a goal for the report and returns the verdict. A missed goal makes the process exit with 1. */
export function recordGoal(goal: Goal): "reached" | "MISSED" {
  goals.push(goal);
  if (goal.holds) return "reached";
  process.exitCode = 1;
  return "MISSED";
}

/** Returns a function that returns the lines and goals recorded since this call. */
export function recordLines(): () => { figures: string; goals: Goal[] } {
  const starts = [lines.length, goals.length] as const;
  return () => ({ figures: lines.slice(starts[0]).join("\n").trim(), goals: goals.slice(starts[1]) });
}

/** Replaces the figures and goals of one part in RESULTS.md. */
export async function writeSection(
  part: string,
  { figures, goals: ownGoals }: { figures: string; goals: Goal[] },
  database = "PostgreSQL 18 embedded",
): Promise<void> {
  let report = await readFile(file, "utf8");
  const text = [`### ${part}`, machine(database), `\`\`\`text\n${figures}\n\`\`\``].join("\n\n");
  report = withSection(report, part, text);
  const others = goalRows(report).filter(([of]) => of !== part);
  const own = ownGoals.map(({ what, measured, goal, holds }) => [
    part,
    what,
    measured,
    goal,
    holds ? "reached" : "**missed**",
  ]);
  report = withSection(report, "goals", table([...others, ...own]));
  await writeFile(file, report);
}

/** Replaces the text between the marks of a section, or appends the section. */
function withSection(report: string, name: string, text: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const section = [begin, text, end].join("\n\n");
  const from = report.indexOf(begin);
  if (from === -1) return `${report.trimEnd()}\n\n${section}\n`;
  return report.slice(0, from) + section + report.slice(report.indexOf(end) + end.length);
}

const head = ["Part", "What", "Measured", "Goal", "Verdict"];

/** Reads the rows of the report's table of goals. */
function goalRows(report: string): string[][] {
  const [, section = ""] = /<!-- goals -->(.*)<!-- end of goals -->/s.exec(report) ?? [];
  const rows = section.trim().split("\n").slice(2);
  return rows.map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** Returns a Markdown table, sorted by part. */
function table(rows: string[][]): string {
  const sorted = rows.toSorted(([one = ""], [other = ""]) => one.localeCompare(other));
  const widths = head.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: string[]) =>
    `| ${widths.map((width, column) => (cells[column] ?? "").padEnd(width)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...sorted.map(line)].join("\n");
}

function machine(database: string): string {
  const [cpu] = cpus();
  const gib = Math.round(totalmem() / 2 ** 30);
  const parts = [
    new Date().toISOString().slice(0, 10),
    `${availableParallelism()} × ${cpu?.model.trim() ?? "unknown processor"}`,
    `${gib} GiB`,
    `${process.platform} ${process.arch}`,
    `Node ${process.versions.node}`,
    database,
  ];
  return `${parts.join(" · ")}.`;
}
