import { setTimeout as sleep } from "node:timers/promises";
import { type RandomSource, createRandom } from "@purser/core";
import { type Fault, type InjectedFault, faults } from "./catalog.ts";
import { RetryingClient } from "./retrying-client.ts";
import type { Cluster } from "./cluster.ts";
import { EventFollower } from "./event-follower.ts";
import { checkAll } from "./invariants/index.ts";
import { checkMemory, measureMemory } from "./invariants/memory.ts";
import { ReadinessWatch } from "./invariants/readiness.ts";
import { checkSettled } from "./invariants/settled.ts";
import { AcknowledgedState } from "./acknowledged-state.ts";
import { Load } from "./load/index.ts";
import { ProcessSupervisor } from "./process-supervisor.ts";
import { RecoveryProbe } from "./recovery.ts";
import { createTenants } from "./tenants.ts";
import type { LoadContext } from "./load-context.ts";

/** The input of one seed's run. */
export interface SeedRun {
  seed: number;
  /** The faults of each round of load, injected one after the other. Each round ends with all checks. */
  rounds: Iterable<readonly InjectedFault[]>;
  /** The time in seconds after which no new round starts. */
  seconds: number;
  /**
   * The load before the first fault: the memory after it is what a process needs. A short one leaves code that is not compiled
   * yet, and connections without their prepared statements. Default: 15 seconds.
   */
  warmUpMs?: number;
  /** The pause of each workload after each step, for a busy machine. Default: none. */
  pauseMs?: number;
  /** How many times its usual limit everything may take, for a busy machine. Default: 1. */
  timeoutFactor?: number;
  cluster: Cluster;
  /** The path of the built server. */
  script: string;
}

/** A run beside other programs, which take the processor that the load and a recovery need. */
export const besideOthers = { pauseMs: 1200, timeoutFactor: 4 };

/** The result of one seed's run. */
export interface SeedReport {
  seed: number;
  violations: string[];
  /** The faults of every round in order, with the recovery time in milliseconds. */
  rounds: { fault: InjectedFault; recoveryMs: number }[][];
  /** The time in milliseconds that each process took to stop after SIGTERM. */
  stopMs: number[];
  /** How many answers of readiness were compared with a probe by hand that found this. */
  comparedReadiness: ProcessSupervisor["comparedReadiness"];
  /** The number of acknowledged writes, all of which were compared with the stored state. */
  acknowledged: number;
  counts: RetryingClient["counts"];
  /** The errors in the logs of the processes. */
  errors: string[];
  seconds: number;
}

/** Runs one seed: rounds of load with faults, each followed by a comparison with the acknowledged state. */
export const runSeed = (run: SeedRun): Promise<SeedReport> =>
  runProcesses(run, (context, violations, rounds) => runRounds(context, run, violations, rounds));

/** Runs something on two servers and a worker with two tenants. What it throws is a violation. */
export async function runProcesses(
  run: Pick<SeedRun, "seed" | "cluster" | "script" | "timeoutFactor">,
  body: (context: LoadContext, violations: string[], rounds: SeedReport["rounds"]) => Promise<void>,
): Promise<SeedReport> {
  const start = performance.now();
  const { seed, cluster } = run;
  const violations: string[] = [];
  const reportViolation = (violation: string) => void violations.push(violation);
  const processes = await ProcessSupervisor.open(run, reportViolation);
  const client = new RetryingClient(processes, createRandom("client", seed), reportViolation);
  const context: LoadContext = {
    seed,
    processes,
    client,
    state: new AcknowledgedState(),
    followers: [],
    reportViolation,
    at: new Date().toISOString(),
  };
  const rounds: SeedReport["rounds"] = [];
  try {
    await processes.startAll();
    await createTenants(context);
    for (const tenant of context.state.tenants)
      context.followers.push(await EventFollower.open(context, tenant));
    await body(context, violations, rounds);
  } catch (error) {
    reportViolation(`${stackOf(error)}\nThe end of PostgreSQL's log:\n${cluster.logTail()}`);
  } finally {
    for (const follower of context.followers) await follower.close();
    client.close();
    // A database that does not come back must not hide why.
    await processes.close().catch((error: unknown) => reportViolation(stackOf(error)));
  }
  const seconds = (performance.now() - start) / 1000;
  return {
    seed,
    violations,
    rounds,
    stopMs: processes.stopMs,
    comparedReadiness: processes.comparedReadiness,
    acknowledged: context.state.acknowledged,
    counts: client.counts,
    errors: processes.errors(),
    seconds,
  };
}

const stackOf = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error));

async function runRounds(
  context: LoadContext,
  { seed, rounds, seconds, warmUpMs = 15_000, pauseMs = 0 }: SeedRun,
  violations: string[],
  finished: SeedReport["rounds"],
): Promise<void> {
  const { processes } = context;
  const random = createRandom("faults", seed);
  const load = new Load(context, pauseMs);
  const recovery = await RecoveryProbe.open(processes, context.client, context.state);
  await warmUp(context, load, warmUpMs);
  const memoryBefore = await measureMemory(processes);
  const until = performance.now() + seconds * 1000;
  for (const round of rounds) {
    const injected: SeedReport["rounds"][number] = [];
    finished.push(injected);
    const readiness = new ReadinessWatch(processes);
    try {
      load.start();
      for (const fault of round) {
        await sleep(random.whole(50, 500));
        injected.push({ fault, recoveryMs: await recovery.measure(await suffer(processes, fault, random)) });
      }
      await sleep(random.whole(50, 500));
      await checkSettled(context, load.stop());
    } finally {
      await readiness.stop();
    }
    // What is still open makes most comparisons fail, and they would hide it.
    if (violations.length === 0) {
      await checkAll(context, random);
      checkMemory(processes, memoryBefore, await measureMemory(processes));
    }
    if (violations.length > 0) {
      violations.unshift(`After: ${round.join(", ")}`);
      return;
    }
    if (performance.now() > until) return;
  }
}

/** Runs the load without faults for a while. */
export async function warmUp(context: LoadContext, load: Load, ms: number): Promise<void> {
  load.start();
  await sleep(ms);
  await checkSettled(context, load.stop());
}

/** Injects a fault and undoes it. Returns when the undoing began. */
export async function suffer(
  processes: ProcessSupervisor,
  name: InjectedFault,
  random: RandomSource,
): Promise<number> {
  const { inject }: Fault = faults[name];
  processes.faultEndedAt = Infinity;
  const undo = await inject(processes, random);
  const back = performance.now();
  await undo();
  processes.faultEndedAt = performance.now();
  return back;
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
