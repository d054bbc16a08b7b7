import { setTimeout as sleep } from "node:timers/promises";
import { type RandomSource, createRandom } from "@purser/core";
import { type FaultName, faults } from "./catalog.ts";
import { Client } from "./client.ts";
import type { Cluster } from "./cluster.ts";
import { checkAll } from "./invariants/index.ts";
import { Ledger } from "./ledger.ts";
import { Load } from "./load/index.ts";
import { ProcessSupervisor } from "./processes.ts";
import { settle, withTimePassing } from "./settle.ts";
import { setOut } from "./setup.ts";
import type { LoadContext } from "./world.ts";

/** The inputs of a run. */
export interface Play {
  seed: number;
  /** The faults of each round of load, injected one after the other. Each round ends with all checks. */
  rounds: Iterable<readonly FaultName[]>;
  /** The time in seconds after which no new round starts. */
  seconds: number;
  /** The pause of each role after each action, for a busy machine. No pause by default. */
  pauseMs?: number;
  cluster: Cluster;
  /** The path of the built server. */
  script: string;
}

/** The result of a run. */
export interface Report {
  seed: number;
  complaints: string[];
  /** The faults of every round in order, with the recovery time in milliseconds, or null if there is none. */
  rounds: { fault: FaultName; recoveryMs: number | null }[][];
  /** The time in milliseconds that each process took to stop after SIGTERM. */
  stopMs: number[];
  /** The number of acknowledged writes, all of which were compared with the stored state. */
  acknowledged: number;
  tally: Client["tally"];
  /** The errors in the logs of the processes. */
  errors: string[];
  seconds: number;
}

/** Runs one seed: rounds of load with faults, each followed by a comparison with the ledger. */
export async function playSeed(play: Play): Promise<Report> {
  const { seed, cluster, script } = play;
  const begun = performance.now();
  const complaints: string[] = [];
  const complain = (complaint: string) => void complaints.push(complaint);
  const processes = await ProcessSupervisor.open(cluster, script, seed, complain);
  const client = new Client(processes, createRandom("client", seed), complain);
  const world: LoadContext = {
    seed,
    processes,
    client,
    ledger: new Ledger(),
    complain,
    at: new Date().toISOString(),
  };
  const played: Report["rounds"] = [];
  try {
    await processes.begin();
    await setOut(world);
    await playRounds(world, play, complaints, played);
  } catch (error) {
    complain(error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    client.close();
    await processes.close();
  }
  const seconds = (performance.now() - begun) / 1000;
  return {
    seed,
    complaints,
    rounds: played,
    stopMs: processes.stopMs,
    acknowledged: world.ledger.acknowledged,
    tally: client.tally,
    errors: processes.errors(),
    seconds,
  };
}

async function playRounds(
  world: LoadContext,
  { seed, rounds, seconds, pauseMs = 0 }: Play,
  complaints: string[],
  played: Report["rounds"],
): Promise<void> {
  const chance = createRandom("faults", seed);
  const load = new Load(world, pauseMs);
  const until = performance.now() + seconds * 1000;
  for (const round of rounds) {
    const injected: Report["rounds"][number] = [];
    played.push(injected);
    load.start();
    for (const fault of round) {
      await sleep(chance.whole(50, 500));
      injected.push({ fault, recoveryMs: await faults[fault](world.processes, chance) });
    }
    await sleep(chance.whole(50, 500));
    await withTimePassing(world, load.stop());
    await settle(world);
    await checkAll(world, chance);
    if (complaints.length > 0) {
      complaints.unshift(`After: ${round.join(", ")}`);
      return;
    }
    if (performance.now() > until) return;
  }
}

/** Yields this many rounds with one to three faults each. Every fault is used before one repeats. */
export function* roundsOf(
  names: readonly FaultName[],
  seed: number,
  count = Infinity,
): Generator<FaultName[]> {
  const chance = createRandom("rounds", seed);
  let deck: FaultName[] = [];
  for (let round = 0; round < count; round += 1) {
    if (deck.length === 0) deck = shuffled(names, chance);
    yield deck.splice(-chance.pick([1, 1, 2, 3]));
  }
}

function shuffled<Item>(items: readonly Item[], chance: RandomSource): Item[] {
  const left = [...items];
  return items.map(() => left.splice(chance.whole(0, left.length - 1), 1)[0]!);
}
