import { parseArgs } from "node:util";
import { type Fault, type InjectedFault, citusFaultNames, faultNames, faults } from "./catalog.ts";

const only = (fault: Fault) =>
  fault.only === undefined ? "" : fault.only === "citus" ? " (Citus)" : " (embedded)";
const allFaults = Object.entries(faults);

export const help = `pnpm test:faults: runs the built service under load, injects faults, and checks that nothing acknowledged is lost.
Time passes as it does in production: 30 s after the last fault of a round, nothing may be open.

  --seeds 50      run the seeds from 1 to 50 (default: 3)
  --seed 17       run one seed
  --seconds 20    start no new round of a seed after this time (default: 20)
  --rounds 9      run this many rounds of each seed, with no time limit unless --seconds is set too
  --soak 60m      run load for this time (m or h) with a fault a minute
  --faults a,b    inject only these faults
  --busy          for a busy machine: a lighter load, and four times as long for everything
  --write         write the figures to bench/RESULTS.md

The same seed with the same rounds and faults injects the same faults in the same order, in the same processes, for the same time. It does not
repeat how processes, requests and packets interleave, so a failure that depends on timing may need several attempts.

PostgreSQL is an embedded one. With DISTRIBUTED_DATABASE_URL, it is the Citus cluster which has this database on its coordinator. The
harness creates a database of its own there. It kills and stops servers, so it needs a cluster for itself, of two or more nodes, that
runs on this machine (Linux): the harness as root or as the servers' user, the address a superuser's. Where a fault below names
PostgreSQL, it is the coordinator.

Faults, and how each ends; (embedded) and (Citus) mark those of one of the two:

${allFaults.map(([name, fault]) => `  ${name}${only(fault)}: ${fault.does}\n    ends: ${fault.undoes}`).join("\n")}`;

/** The parsed command line. */
export interface Arguments {
  help: boolean;
  seeds: number[];
  /** The maximum number of rounds per seed. */
  rounds: number;
  /** The time in seconds after which no new round of a seed starts. */
  seconds: number;
  /** The minutes of a soak; null for seeds. */
  soakMinutes: number | null;
  faults: InjectedFault[];
  busy: boolean;
  write: boolean;
}

/**
 * Reads the command line. Throws an error with a one-line message that names the valid choices.
 *
 * @param isDistributed Whether PostgreSQL is a Citus cluster
 */
export function readArguments(args: string[], { isDistributed = false } = {}): Arguments {
  const names = isDistributed ? citusFaultNames : faultNames;
  const { values } = parseArgs({
    args,
    options: {
      help: { type: "boolean", default: false },
      seed: { type: "string" },
      seeds: { type: "string" },
      rounds: { type: "string" },
      seconds: { type: "string" },
      soak: { type: "string" },
      faults: { type: "string", default: names.join(",") },
      busy: { type: "boolean", default: false },
      write: { type: "boolean", default: false },
    },
  });
  const { seed, rounds, seconds, soak } = values;
  if (seed !== undefined && values.seeds !== undefined)
    throw new Error("--seed runs one seed and --seeds several: pass only one of the two");
  if (soak !== undefined && values.busy) throw new Error("--soak has a light load already: leave out --busy");
  if (soak !== undefined && [values.seeds, rounds, seconds].some((other) => other !== undefined))
    throw new Error("--soak runs one seed without rounds: pass --seed or --faults only");
  const count = whole("seeds", values.seeds ?? "3");
  return {
    help: values.help,
    soakMinutes: soak === undefined ? null : minutes(soak),
    seeds:
      seed === undefined ? Array.from({ length: count }, (_, place) => place + 1) : [whole("seed", seed)],
    rounds: rounds === undefined ? Infinity : whole("rounds", rounds),
    seconds: seconds === undefined ? (rounds === undefined ? 20 : Infinity) : whole("seconds", seconds),
    faults: chosen(values.faults, names),
    busy: values.busy,
    write: values.write,
  };
}

function whole(option: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new Error(`--${option} takes a whole number from 1, not "${text}"`);
}

function minutes(text: string): number {
  const [, count, unit] = /^([1-9]\d{0,4})([mh])$/.exec(text) ?? [];
  if (count === undefined) throw new Error(`--soak takes minutes or hours, as in 60m or 8h, not "${text}"`);
  return Number(count) * (unit === "h" ? 60 : 1);
}

/** Returns the faults in their fixed order, so that a seed does not depend on the order of the option. */
function chosen(list: string, available: readonly InjectedFault[]): InjectedFault[] {
  const names = list.split(",").map((name) => name.trim());
  for (const name of names) {
    if ((available as string[]).includes(name)) continue;
    const others = available === faultNames ? citusFaultNames : faultNames;
    if (!(others as string[]).includes(name))
      throw new Error(`There is no fault "${name}". Choose from: ${available.join(", ")}`);
    throw new Error(
      others === citusFaultNames
        ? `"${name}" needs a Citus cluster: set DISTRIBUTED_DATABASE_URL to a database of its coordinator`
        : `"${name}" needs an embedded PostgreSQL: unset DISTRIBUTED_DATABASE_URL`,
    );
  }
  return available.filter((name) => names.includes(name));
}
