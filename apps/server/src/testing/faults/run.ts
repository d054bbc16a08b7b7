import { setTimeout as sleep } from "node:timers/promises";
import { type RandomSource, createRandom } from "@purser/core";
import { type InjectedFault, faults } from "./catalog.ts";
import { RetryingClient } from "./retrying-client.ts";
import type { Cluster } from "./cluster.ts";
import { checkAll } from "./invariants/index.ts";
import { AcknowledgedState } from "./acknowledged-state.ts";
import { Load } from "./load/index.ts";
import { ProcessSupervisor } from "./process-supervisor.ts";
import { waitUntilIdle, expireTimeoutsDuring } from "./idle.ts";
import { createTenants } from "./tenants.ts";
import type { LoadContext } from "./load-context.ts";

/** The input of one seed's run. */
export interface SeedRun {
  seed: number;
  /** The faults of each round of load, injected one after the other. Each round ends with all checks. */
  rounds: Iterable<readonly InjectedFault[]>;
  /** The time in seconds after which no new round starts. */
  seconds: number;
  /** The pause of each workload after each step, for a busy machine. Default: none. */
  pauseMs?: number;
  cluster: Cluster;
  /** The path of the built server. */
  script: string;
}

/** The result of one seed's run. */
export interface SeedReport {
  seed: number;
  violations: string[];
  /** The faults of every round in order, with the recovery time in milliseconds, or null if there is none. */
  rounds: { fault: InjectedFault; recoveryMs: number | null }[][];
  /** The time in milliseconds that each process took to stop after SIGTERM. */
  stopMs: number[];
  /** The number of acknowledged writes, all of which were compared with the stored state. */
  acknowledged: number;
  counts: RetryingClient["counts"];
  /** The errors in the logs of the processes. */
  errors: string[];
  seconds: number;
}

/** Runs one seed: rounds of load with faults, each followed by a comparison with the acknowledged state. */
export async function runSeed(run: SeedRun): Promise<SeedReport> {
  const { seed, cluster, script } = run;
  const start = performance.now();
  const violations: string[] = [];
  const reportViolation = (violation: string) => void violations.push(violation);
  const processes = await ProcessSupervisor.open(cluster, script, seed, reportViolation);
  const client = new RetryingClient(processes, createRandom("client", seed), reportViolation);
  const context: LoadContext = {
    seed,
    processes,
    client,
    state: new AcknowledgedState(),
    reportViolation,
    at: new Date().toISOString(),
  };
  const rounds: SeedReport["rounds"] = [];
  try {
    await processes.startAll();
    await createTenants(context);
    await runRounds(context, run, violations, rounds);
  } catch (error) {
    reportViolation(error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    client.close();
    await processes.close();
  }
  const seconds = (performance.now() - start) / 1000;
  return {
    seed,
    violations,
    rounds,
    stopMs: processes.stopMs,
    acknowledged: context.state.acknowledged,
    counts: client.counts,
    errors: processes.errors(),
    seconds,
  };
}

async function runRounds(
  context: LoadContext,
  { seed, rounds, seconds, pauseMs = 0 }: SeedRun,
  violations: string[],
  finished: SeedReport["rounds"],
): Promise<void> {
  const random = createRandom("faults", seed);
  const load = new Load(context, pauseMs);
  const until = performance.now() + seconds * 1000;
  for (const round of rounds) {
    const injected: SeedReport["rounds"][number] = [];
    finished.push(injected);
    load.start();
    for (const fault of round) {
      await sleep(random.whole(50, 500));
      injected.push({ fault, recoveryMs: await faults[fault](context.processes, random) });
    }
    await sleep(random.whole(50, 500));
    await expireTimeoutsDuring(context, load.stop());
    await waitUntilIdle(context);
    await checkAll(context, random);
    if (violations.length > 0) {
      violations.unshift(`After: ${round.join(", ")}`);
      return;
    }
    if (performance.now() > until) return;
  }
}

/** Yields this many rounds with one to three faults each. Every fault is used before one repeats. */
export function* roundsOf(
  names: readonly InjectedFault[],
  seed: number,
  count = Infinity,
): Generator<InjectedFault[]> {
  const random = createRandom("rounds", seed);
  let remaining: InjectedFault[] = [];
  for (let round = 0; round < count; round += 1) {
    if (remaining.length === 0) remaining = shuffled(names, random);
    yield remaining.splice(-random.pick([1, 1, 2, 3]));
  }
}

function shuffled<Item>(items: readonly Item[], random: RandomSource): Item[] {
  const left = [...items];
  return items.map(() => left.splice(random.whole(0, left.length - 1), 1)[0]!);
}
