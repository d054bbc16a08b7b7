import { judged, say } from "../../../../../bench/report.ts";
import { type FaultName, faultNames, limitOf } from "./catalog.ts";
import { smallDisk } from "./disk.ts";
import { drainLimitMs } from "./processes.ts";
import type { Report } from "./run.ts";

/** Returns the command that repeats the rounds of a seed with these faults. */
export function replayOf({ seed, rounds }: Report, faults: readonly FaultName[]): string {
  const some = faults.length === faultNames.length ? "" : ` --faults "${faults.join(",")}"`;
  return `pnpm test:faults --seed ${seed} --rounds ${rounds.length}${some}`;
}

/** Prints the result of one seed and, if it failed, how to repeat it. */
export function print(report: Report, faults: readonly FaultName[]): void {
  const { seed, seconds, rounds, tally, complaints, errors } = report;
  const { requests, retries, answers, unavailable, broken, slowest } = tally;
  say(
    `seed ${seed}: ${complaints.length === 0 ? "passed" : "FAILED"} in ${seconds.toFixed(1)} s; ` +
      `${rounds.length} rounds, ${rounds.flat().length} faults, ${requests} requests (${retries} retries), ` +
      `${answers} answered (${unavailable} with 503), ${broken} broken connections, ` +
      `slowest ${Math.round(slowest.ms)} ms (${slowest.what})`,
  );
  if (complaints.length === 0) return;
  for (const complaint of [...complaints.slice(0, 20), ...errors.slice(-5)]) say(`  ${complaint}`);
  say(`  repeat with: ${replayOf(report, faults)}`);
}

/** Prints and judges the figures of all seeds. */
export function summarize(reports: readonly Report[]): void {
  const sum = (of: (report: Report) => number) => reports.reduce((all, report) => all + of(report), 0);
  const failed = reports.filter(({ complaints }) => complaints.length > 0);
  const passed = `${reports.length - failed.length} of ${reports.length}`;
  const verdict = judged({
    what: "Seeds after which nothing acknowledged is lost, nothing doubled and no limit passed",
    measured: passed,
    goal: "all",
    holds: failed.length === 0,
  });
  const disk = smallDisk() === null ? "" : ", on a file system in memory";
  say(`\nTwo servers and a worker under load; PostgreSQL with fsync${disk}\n`);
  say(row("seeds passed", passed, verdict));
  if (failed.length > 0) say(row("failed", failed.map(({ seed }) => seed).join(", ")));
  const totals: Record<string, (report: Report) => number> = {
    rounds: ({ rounds }) => rounds.length,
    faults: ({ rounds }) => rounds.flat().length,
    requests: ({ tally }) => tally.requests,
    "of these retries": ({ tally }) => tally.retries,
    "broken connections": ({ tally }) => tally.broken,
    "responses 503 with Retry-After": ({ tally }) => tally.unavailable,
    "acknowledged writes, compared": ({ acknowledged }) => acknowledged,
    "lost, doubled or otherwise wrong": ({ complaints }) => complaints.length,
  };
  for (const [name, of] of Object.entries(totals)) say(row(name, sum(of)));
  say(row("slowest response, ms", Math.round(Math.max(...reports.map(({ tally }) => tally.slowest.ms)))));

  say(`\n${row("until it serves again", "times", "p50 ms", "max ms", "limit ms")}`);
  const injected = reports.flatMap(({ rounds }) => rounds.flat());
  for (const fault of faultNames) {
    const list = injected.filter((one) => one.fault === fault);
    if (list.length === 0) continue;
    const times = list.flatMap(({ recoveryMs }) => recoveryMs ?? []);
    if (times.length > 0) sayTimes(fault, `Until it serves again: ${fault}`, times, limitOf(fault));
    else say(row(fault, list.length, "–", "–", "–"));
  }
  const stops = reports.flatMap(({ stopMs }) => stopMs);
  if (stops.length > 0) sayTimes("from SIGTERM to the end", "From SIGTERM to the end", stops, drainLimitMs);
}

/** Prints a row of durations and judges the longest. */
function sayTimes(name: string, what: string, measured: number[], limit: number): void {
  const times = measured.map(Math.round).toSorted((one, other) => one - other);
  const middle = times[Math.floor(times.length / 2)]!;
  const longest = times.at(-1)!;
  const goal = {
    what,
    measured: `${longest} ms, the longest of ${times.length}`,
    goal: `under ${limit / 1000} s`,
  };
  const verdict = judged({ ...goal, holds: longest < limit });
  say(row(name, times.length, middle, longest, limit, verdict));
}

function row(name: string, ...cells: (string | number)[]): string {
  return name.padEnd(36) + cells.map((cell) => String(cell).padStart(10)).join("");
}
