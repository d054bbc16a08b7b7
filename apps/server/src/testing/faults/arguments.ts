import { parseArgs } from "node:util";
import { type FaultName, faultNames } from "./catalog.ts";

export const help = `pnpm test:faults: the built service under load while everything around it fails, and what must hold all the same.

  --seeds 50      plays the seeds from 1 to 50; 3 without it
  --seed 17       plays one seed
  --seconds 20    no round of a seed begins later; 20 without it
  --rounds 9      so many rounds of each seed, however long they take, unless --seconds is given, too
  --faults a,b    only these happen, of: ${faultNames.join(", ")}
  --write         puts the figures into bench/RESULTS.md

The same seed with the same rounds and faults replays what goes wrong, in its order, where and for how long. It does not
replay how processes, requests and packets interleave: a failure that needs a certain moment may take several attempts
to come back.`;

/** What is to be played. */
export interface Arguments {
  help: boolean;
  seeds: number[];
  /** The most rounds of a seed. */
  rounds: number;
  /** After so many seconds no other round of a seed begins. */
  seconds: number;
  faults: FaultName[];
  write: boolean;
}

/** Reads the command line; what cannot be understood is an error whose message is one line that says what can. */
export function readArguments(args: string[]): Arguments {
  const { values } = parseArgs({
    args,
    options: {
      help: { type: "boolean", default: false },
      seed: { type: "string" },
      seeds: { type: "string" },
      rounds: { type: "string" },
      seconds: { type: "string" },
      faults: { type: "string", default: faultNames.join(",") },
      write: { type: "boolean", default: false },
    },
  });
  const { seed, rounds, seconds } = values;
  if (seed !== undefined && values.seeds !== undefined)
    throw new Error("--seed plays one and --seeds several: give only one of the two");
  const count = whole("seeds", values.seeds ?? "3");
  return {
    help: values.help,
    seeds:
      seed === undefined ? Array.from({ length: count }, (_, place) => place + 1) : [whole("seed", seed)],
    rounds: rounds === undefined ? Infinity : whole("rounds", rounds),
    seconds: seconds === undefined ? (rounds === undefined ? 20 : Infinity) : whole("seconds", seconds),
    faults: chosen(values.faults),
    write: values.write,
  };
}

function whole(option: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new Error(`--${option} takes a whole number from 1 on, and not "${text}"`);
}

/** These faults in the order in which they are listed here: what follows from a seed does not depend on the typist. */
function chosen(list: string): FaultName[] {
  const names = list.split(",").map((name) => name.trim());
  const unknown = names.filter((name) => !(faultNames as string[]).includes(name));
  if (unknown.length > 0)
    throw new Error(
      `There is no fault ${unknown.map((name) => `"${name}"`).join(", ")}; there are ${faultNames.join(", ")}`,
    );
  return faultNames.filter((name) => names.includes(name));
}
