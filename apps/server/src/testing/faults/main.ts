import { linesSince, writeSection } from "../../../../../bench/report.ts";
import { buildService, stopServices, temporaryFolder } from "../process.ts";
import { type Arguments, help, readArguments } from "./arguments.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { againOnSmallDisk, smallDisk } from "./disk.ts";
import { print, summarize } from "./report.ts";
import { type Report, playSeed, roundsOf } from "./run.ts";

/** `pnpm test:faults`; see `--help`. */
const options = readOptions();
if (options !== null) {
  const elsewhere = await againOnSmallDisk();
  if (elsewhere === null) await main(options);
  else process.exitCode = elsewhere;
}

/** Returns null after printing the help or a usage error. */
function readOptions(): Arguments | null {
  try {
    const found = readArguments(process.argv.slice(2));
    if (!found.help) return found;
    console.log(help);
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 2;
  }
  return null;
}

async function main({ seeds, rounds, seconds, faults: wanted, write }: Arguments): Promise<void> {
  const faults = wanted.filter((name) => name !== "fill the disk" || smallDisk() !== null);
  if (smallDisk() === null)
    console.log('Skipping "fill the disk": this system does not allow mounting a small disk (unshare -m).');
  if (faults.length === 0) {
    process.exitCode = 2;
    return;
  }
  const folder = temporaryFolder();
  let cluster: Cluster | undefined;
  const end = async () => {
    await stopServices();
    await cluster?.stop();
    folder.remove();
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      console.log(`Interrupted by ${signal}.`);
      void end().finally(() => process.exit(130));
    });
  }
  const reports: Report[] = [];
  try {
    const script = buildService(folder.path);
    cluster = await startCluster({ onSmallDisk: true });
    for (const seed of seeds) {
      const report = await playSeed({
        seed,
        rounds: roundsOf(faults, seed, rounds),
        seconds,
        cluster,
        script,
      });
      reports.push(report);
      print(report, faults);
    }
  } finally {
    await end();
  }
  const said = linesSince();
  summarize(reports);
  if (write) await writeSection("faults", said());
}
