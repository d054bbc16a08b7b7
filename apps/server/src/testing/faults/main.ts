import { recordLines, writeSection } from "../../../../../bench/report.ts";
import { buildService, stopServices, temporaryFolder } from "../process.ts";
import { type Arguments, help, readArguments } from "./arguments.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { rerunOnSmallDisk, smallDisk } from "./disk.ts";
import { printSeed, printSummary } from "./report.ts";
import { type SeedReport, runSeed, roundsOf } from "./run.ts";

/** `pnpm test:faults`; see `--help`. */
const options = readOptions();
if (options !== null) {
  const exitCode = await rerunOnSmallDisk();
  if (exitCode === null) await main(options);
  else process.exitCode = exitCode;
}

/** Returns null after printing the help or a usage error. */
function readOptions(): Arguments | null {
  try {
    const parsed = readArguments(process.argv.slice(2));
    if (!parsed.help) return parsed;
    console.log(help);
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 2;
  }
  return null;
}

async function main({ seeds, rounds, seconds, faults: requested, write }: Arguments): Promise<void> {
  const faults = requested.filter((name) => name !== "fill the disk" || smallDisk() !== null);
  if (smallDisk() === null)
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
  try {
    const script = buildService(folder.path);
    cluster = await startCluster({ onSmallDisk: true });
    for (const seed of seeds) {
      const report = await runSeed({
        seed,
        rounds: roundsOf(faults, seed, rounds),
        seconds,
        cluster,
        script,
      });
      reports.push(report);
      printSeed(report, faults);
    }
  } finally {
    await cleanUp();
  }
  const recorded = recordLines();
  printSummary(reports);
  if (write) await writeSection("faults", recorded());
}
