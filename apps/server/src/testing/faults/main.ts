import { parseArgs } from "node:util";
import { buildService, stopServices, temporaryFolder } from "../process.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { againOnSmallDisk, smallDisk } from "./disk.ts";
import { faultNames, limitOf } from "./faults.ts";
import { type Report, playSeed, roundsOf } from "./run.ts";

/**
 * `pnpm test:faults`: the built service under load while everything around it fails, and what must hold all the same.
 * `--seed 17` plays one seed, `--seeds 50` those from 1 to 50, `--seconds 20` is how long each goes on at least, and
 * `--faults "kill a server,stop a server"` lets only these happen.
 */
const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    seeds: { type: "string", default: "3" },
    seconds: { type: "string", default: "20" },
    faults: { type: "string", default: faultNames.join(",") },
  },
});

const elsewhere = await againOnSmallDisk();
if (elsewhere === null) await main();
else process.exitCode = elsewhere;

async function main(): Promise<void> {
  const seeds = values.seed
    ? [Number(values.seed)]
    : Array.from({ length: Number(values.seeds) }, (_, i) => i + 1);
  if (smallDisk() === null) console.log("No disk is filled: this system mounts none for us (unshare -m).");
  const folder = temporaryFolder();
  let cluster: Cluster | undefined;
  const end = async () => {
    await stopServices();
    await cluster?.stop();
    folder.remove();
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      console.log(`Ended by ${signal}.`);
      void end().finally(() => process.exit(130));
    });
  }
  const reports: Report[] = [];
  try {
    const script = buildService(folder.path);
    cluster = await startCluster({ onSmallDisk: true });
    const { fillDisk } = cluster;
    const faults = faultNames
      .filter((name) => values.faults.split(",").includes(name))
      .filter((name) => name !== "fill the disk" || fillDisk !== null);
    for (const seed of seeds) {
      const rounds = roundsOf(faults, seed);
      const report = await playSeed({ seed, rounds, seconds: Number(values.seconds), cluster, script });
      reports.push(report);
      print(report);
    }
  } finally {
    await end();
  }
  summarize(reports);
}

function print({ seed, seconds, injected, tally, complaints, errors }: Report): void {
  const { requests, retries, answers, unavailable, broken, slowest } = tally;
  console.log(
    `seed ${seed}: ${complaints.length === 0 ? "passed" : "FAILED"} in ${seconds.toFixed(1)} s; ` +
      `${injected.length} faults, ${requests} requests (${retries} retries), ${answers} answered ` +
      `(${unavailable} with 503), ${broken} broken off, slowest ${Math.round(slowest.ms)} ms (${slowest.what})`,
  );
  if (complaints.length === 0) return;
  for (const complaint of [...complaints.slice(0, 20), ...errors.slice(-5)]) console.log(`  ${complaint}`);
  console.log(`  again: pnpm test:faults --seed ${seed} --seconds ${values.seconds}`);
}

/** How long recovery took, fault by fault, beside what it may take half of the time. */
function summarize(reports: Report[]): void {
  console.log(`\n${line("fault", "times", "p50 ms", "max ms", "limit ms", "")}`);
  const injected = reports.flatMap((report) => report.injected);
  for (const [fault, list] of Map.groupBy(injected, (one) => one.fault)) {
    const times = list.map(({ recoveryMs }) => Math.round(recoveryMs)).toSorted((one, other) => one - other);
    const middle = times[Math.floor(times.length / 2)]!;
    const isReached = middle <= limitOf(fault);
    console.log(
      line(fault, times.length, middle, times.at(-1)!, limitOf(fault), isReached ? "reached" : "MISSED"),
    );
    if (!isReached) process.exitCode = 1;
  }
  const failed = reports.filter(({ complaints }) => complaints.length > 0);
  console.log(`\n${reports.length - failed.length} seeds passed, ${failed.length} failed`);
  if (failed.length > 0) process.exitCode = 1;
}

function line(name: string, ...cells: (string | number)[]): string {
  return name.padEnd(32) + cells.map((cell) => String(cell).padStart(10)).join("");
}
