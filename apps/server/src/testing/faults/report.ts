import { reportLine, recordGoal } from "../../../../../bench/report.ts";
import { distributedDatabaseUrl } from "@purser/testing";
import { type InjectedFault, allFaultNames, citusFaultNames, faultNames, faults } from "./catalog.ts";
import { smallDisk } from "./disk.ts";
import { drainLimitMs } from "./process-supervisor.ts";
import type { SeedReport } from "./run.ts";
import type { SoakReport, SoakSample } from "./soak.ts";

/** Returns the command that repeats the rounds of a seed with these faults. */
export function replayOf({ seed, rounds }: SeedReport, names: readonly InjectedFault[]): string {
  const isDistributed = distributedDatabaseUrl !== null;
  const all = isDistributed ? citusFaultNames : faultNames;
  const some = names.length === all.length ? "" : ` --faults "${names.join(",")}"`;
  const where = isDistributed ? "DISTRIBUTED_DATABASE_URL=… " : "";
  return `${where}pnpm test:faults --seed ${seed} --rounds ${rounds.length}${some}`;
}

/** Prints the result of one seed and, if it failed, how to repeat it. */
export function printSeed(report: SeedReport, names: readonly InjectedFault[]): void {
  const { seed, seconds, rounds, counts, violations, errors } = report;
  const { requests, retries, responses, unavailable, broken, slowest } = counts;
  reportLine(
    `seed ${seed}: ${violations.length === 0 ? "passed" : "FAILED"} in ${seconds.toFixed(1)} s; ` +
      `${rounds.length} rounds, ${rounds.flat().length} faults, ${requests} requests (${retries} retries), ` +
      `${responses} responses (${unavailable} with 503), ${broken} broken connections, ` +
      `slowest ${Math.round(slowest.ms)} ms (${slowest.what})`,
  );
  if (violations.length === 0) return;
  for (const violation of [...violations.slice(0, 20), ...errors.slice(-5)]) reportLine(`  ${violation}`);
  reportLine(`  repeat with: ${replayOf(report, names)}`);
}

/** Prints the figures of all seeds, and checks them against their limits. */
export function printSummary(reports: readonly SeedReport[]): void {
  const sum = (of: (report: SeedReport) => number) => reports.reduce((all, report) => all + of(report), 0);
  const failed = reports.filter(({ violations }) => violations.length > 0);
  const passed = `${reports.length - failed.length} of ${reports.length}`;
  const verdict = recordGoal({
    what: "Seeds after which no acknowledged write is lost or duplicated and no limit is exceeded",
    measured: passed,
    goal: "all",
    holds: failed.length === 0,
  });
  reportLine(`\nTwo servers and a worker under load; ${postgres()}\n`);
  reportLine(row("seeds passed", passed, verdict));
  if (failed.length > 0) reportLine(row("failed", failed.map(({ seed }) => seed).join(", ")));
  const totals: Record<string, (report: SeedReport) => number> = {
    rounds: ({ rounds }) => rounds.length,
    faults: ({ rounds }) => rounds.flat().length,
    requests: ({ counts }) => counts.requests,
    "of these retries": ({ counts }) => counts.retries,
    "broken connections": ({ counts }) => counts.broken,
    "responses 503 with Retry-After": ({ counts }) => counts.unavailable,
    "acknowledged writes, verified": ({ acknowledged }) => acknowledged,
    "readiness, compared while reachable": ({ comparedReadiness }) => comparedReadiness.ok,
    "  and while not": ({ comparedReadiness }) => comparedReadiness.unavailable,
    violations: ({ violations }) => violations.length,
  };
  for (const [name, of] of Object.entries(totals)) reportLine(row(name, sum(of)));
  reportLine(
    row("slowest response, ms", Math.round(Math.max(...reports.map(({ counts }) => counts.slowest.ms)))),
  );

  printRecoveries(reports);
}

function postgres(): string {
  if (distributedDatabaseUrl !== null) return "a Citus cluster on the same machine";
  return `PostgreSQL with fsync${smallDisk() === null ? "" : ", on an in-memory file system"}`;
}

/** Prints what a soak began and ended with, and checks it. */
export function printSoak(report: SoakReport): void {
  const { minutes, violations, start, end, acknowledged } = report;
  const passed = violations.length === 0;
  const goal = { what: `Violations in ${minutes} minutes of load with a fault a minute`, goal: "none" };
  const verdict = recordGoal({ ...goal, measured: String(violations.length), holds: passed });
  reportLine(`\nA soak of ${minutes} minutes with mixed load and a fault a minute; ${postgres()}\n`);
  reportLine(row("violations", violations.length, verdict));
  reportLine(row("acknowledged writes, verified", acknowledged));
  for (const violation of violations.slice(0, 20)) reportLine(`  ${violation}`);
  if (start !== null && end !== null) printSamples(start, end);
  printRecoveries([report]);
}

function printSamples(start: SoakSample, end: SoakSample): void {
  const mebibytes = (bytes = 0) => (bytes / 2 ** 20).toFixed(1);
  reportLine(`\n${row("at rest", "start", "end")}`);
  for (const [name, { rss, reachable }] of end.memory) {
    const before = start.memory.get(name)!;
    reportLine(row(`memory of ${name}, MiB`, mebibytes(before.rss), mebibytes(rss)));
    reportLine(row("  of it reachable", mebibytes(before.reachable), mebibytes(reachable)));
  }
  reportLine(row("connections of the processes", start.connections, end.connections));
  reportLine(row("jobs, syncs, events, keys open", start.backlog, end.backlog));
  const sum = ({ tables }: SoakSample) => [...tables.values()].reduce((all, bytes) => all + bytes, 0);
  reportLine(row("all tables with indexes, MiB", mebibytes(sum(start)), mebibytes(sum(end))));
  for (const [name, bytes] of [...end.tables].slice(0, 12))
    reportLine(row(`  ${name}`, mebibytes(start.tables.get(name)), mebibytes(bytes)));
}

/** Describes the recoveries that took longer than their fault allows. */
export const lateRecoveries = ({ rounds }: SeedReport): string[] =>
  rounds
    .flat()
    .filter(({ fault, recoveryMs }) => recoveryMs >= faults[fault].limitMs)
    .map(({ fault, recoveryMs }) => `${fault}: ${Math.round(recoveryMs)} ms, of ${faults[fault].limitMs}`);

/** Prints the longest recovery of each fault, and checks it against its limit. */
function printRecoveries(reports: readonly SeedReport[]): void {
  reportLine(`\n${row("time to recover", "times", "p50 ms", "max ms", "limit ms")}`);
  const injected = reports.flatMap(({ rounds }) => rounds.flat());
  for (const fault of allFaultNames) {
    const list = injected.filter((injection) => injection.fault === fault);
    if (list.length === 0) continue;
    const times = list.map(({ recoveryMs }) => recoveryMs);
    printTimes(fault, `Time to recover: ${fault}`, times, faults[fault].limitMs);
  }
  const stops = reports.flatMap(({ stopMs }) => stopMs);
  if (stops.length > 0) printTimes("SIGTERM to exit", "SIGTERM to exit", stops, drainLimitMs);
}

/** Prints a row of durations, and checks the longest against the limit. */
function printTimes(name: string, label: string, measured: number[], limit: number): void {
  const times = measured.map(Math.round).toSorted((a, b) => a - b);
  const middle = times[Math.floor(times.length / 2)]!;
  const longest = times.at(-1)!;
  const goal = {
    what: label,
    measured: `${longest} ms, the longest of ${times.length}`,
    goal: `under ${limit / 1000} s`,
  };
  const verdict = recordGoal({ ...goal, holds: longest < limit });
  reportLine(row(name, times.length, middle, longest, limit, verdict));
}

function row(name: string, ...cells: (string | number)[]): string {
  return name.padEnd(36) + cells.map((cell) => String(cell).padStart(10)).join("");
}
