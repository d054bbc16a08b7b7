import { buildService, distributedDatabaseUrl } from "@purser/testing";
import { recordLines, writeSection } from "../../../../../bench/report.ts";
import { stopServices, temporaryFolder } from "@purser/testing/process";
import { type Arguments, help, readArguments } from "./arguments.ts";
import { openCitusCluster } from "./citus-cluster.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { rerunOnSmallDisk, smallDisk } from "./disk.ts";
import { printSeed, printSoak, printSummary } from "./report.ts";
import { type SeedReport, besideOthers, runSeed, roundsOf } from "./run.ts";
import { type SoakReport, runSoak } from "./soak.ts";

/** `pnpm test:faults`; see `--help`. */
const options = readOptions();
if (options !== null) {
  const exitCode = distributedDatabaseUrl === null ? await rerunOnSmallDisk(options.soakMinutes ?? 0) : null;
  if (exitCode === null) await main(options);
  else process.exitCode = exitCode;
}

/** Returns null after printing the help or a usage error. */
function readOptions(): Arguments | null {
  try {
    const parsed = readArguments(process.argv.slice(2), { isDistributed: distributedDatabaseUrl !== null });
    if (!parsed.help) return parsed;
    console.log(help);
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 2;
  }
  return null;
}

async function main(parsed: Arguments): Promise<void> {
  const { seeds, rounds, seconds, soakMinutes, faults: requested, busy, write } = parsed;
  const faults = requested.filter((name) => name !== "fill the disk" || smallDisk() !== null);
  if (smallDisk() === null && distributedDatabaseUrl === null)
    console.log('Skipping "fill the disk": this system does not allow mounting a small disk (unshare -m).');
  if (faults.length === 0) {
    process.exitCode = 2;
    return;
  }
  const folder = temporaryFolder();
  let cluster: Cluster | undefined;
  const cleanUp = async () => {
    await stopServices();
    await cluster?.stop();
    folder.remove();
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      console.log(`Interrupted by ${signal}.`);
      void cleanUp().finally(() => process.exit(130));
    });
  }
  const reports: SeedReport[] = [];
  let soak: SoakReport | undefined;
  try {
    const script = buildService(folder.path);
    cluster =
      distributedDatabaseUrl === null
        ? await startCluster({ onSmallDisk: true })
        : await openCitusCluster(distributedDatabaseUrl);
    const context = { cluster, script };
    if (soakMinutes !== null) {
      const [seed] = seeds as [number];
      soak = await runSoak({ ...context, seed, minutes: soakMinutes, faults, onProgress: console.log });
    }
    for (const seed of soak ? [] : seeds) {
      const run = { seed, rounds: roundsOf(faults, seed, rounds), seconds };
      const report = await runSeed({ ...context, ...run, ...(busy && besideOthers) });
      reports.push(report);
      printSeed(report, faults);
    }
  } finally {
    await cleanUp();
  }
  const recorded = recordLines();
  if (soak) printSoak(soak);
  else printSummary(reports);
  const section = soak ? "soak" : "faults";
  if (write)
    await (distributedDatabaseUrl === null
      ? writeSection(section, recorded())
      : writeSection(`${section} on Citus`, recorded(), "PostgreSQL with Citus"));
}
