import { readFile, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, totalmem } from "node:os";

const file = new URL("RESULTS.md", import.meta.url);
const lines: string[] = [];

/** Prints a line of figures, and keeps it for the report. */
export function say(line: string): void {
  lines.push(line);
  console.log(line);
}

/** Gives what will have been said by the time that it is asked. */
export function saidSince(): () => string {
  const start = lines.length;
  return () => lines.slice(start).join("\n").trim();
}

/** Puts the figures of a part in the place of its earlier ones; each part is measured by itself, with its limit. */
export async function writeSection(part: string, figures: string): Promise<void> {
  const [begin, end] = [`<!-- ${part} -->`, `<!-- end of ${part} -->`];
  const section = [begin, `### ${part}`, machine(), `\`\`\`text\n${figures}\n\`\`\``, end].join("\n\n");
  const report = await readFile(file, "utf8");
  const from = report.indexOf(begin);
  const to = report.indexOf(end);
  const updated =
    from === -1
      ? `${report.trimEnd()}\n\n${section}\n`
      : report.slice(0, from) + section + report.slice(to + end.length);
  await writeFile(file, updated);
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
    "PostgreSQL 18 embedded, without fsync",
  ];
  return `${parts.join(" · ")}.`;
}
