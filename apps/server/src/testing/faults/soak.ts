import { setTimeout as sleep } from "node:timers/promises";
import { createRandom } from "@purser/core";
import type { InjectedFault } from "./catalog.ts";
import type { Cluster } from "./cluster.ts";
import { checkAll } from "./invariants/index.ts";
import { type MemoryByProcess, checkMemory, measureMemory } from "./invariants/memory.ts";
import { ReadinessWatch } from "./invariants/readiness.ts";
import { checkSettled, findOpenWork } from "./invariants/settled.ts";
import { Load } from "./load/index.ts";
import type { LoadContext } from "./load-context.ts";
import { RecoveryProbe } from "./recovery.ts";
import { type SeedReport, roundsOf, runProcesses, suffer, warmUp } from "./run.ts";

/** The pause of each workload after each step: a load that lasts for hours on a small machine. */
const pauseMs = 100;
const minuteMs = 60_000;

/** A tenth of the soak, from 20 s to 5 minutes: by then, caches and pools are full, and code is compiled. */
const warmUpMs = (minutes: number) => Math.min(5 * minuteMs, Math.max(20_000, (minutes * minuteMs) / 10));

/** The input of a soak. */
export interface SoakRun {
  seed: number;
  minutes: number;
  faults: readonly InjectedFault[];
  cluster: Cluster;
  script: string;
  /** Called after each fault. */
  onProgress: (line: string) => void;
}

/** What may grow, at one moment in which nothing runs. */
export interface SoakSample {
  memory: MemoryByProcess;
  /** The number of connections of all processes. */
  connections: number;
  /** The number of jobs, synchronizations, events and keys that are open. */
  backlog: number;
  /** Bytes by table, with indexes. */
  tables: ReadonlyMap<string, number>;
}

export interface SoakReport extends SeedReport {
  minutes: number;
  /** Null if the soak failed before. */
  start: SoakSample | null;
  end: SoakSample | null;
}

/** Runs mixed load without an interruption, and injects a fault a minute. All checks follow at the end. */
export async function runSoak(run: SoakRun): Promise<SoakReport> {
  const { seed, minutes, faults, onProgress } = run;
  let start: SoakSample | null = null;
  let end: SoakSample | null = null;
  const report = await runProcesses(run, async (context, violations, rounds) => {
    const { processes, client, state } = context;
    const random = createRandom("soak", seed);
    const load = new Load(context, pauseMs);
    const recovery = await RecoveryProbe.open(processes, client, state);
    await warmUp(context, load, warmUpMs(minutes));
    start = await takeSample(context);
    const readiness = new ReadinessWatch(processes);
    try {
      const begun = performance.now();
      load.start();
      const sequence = [...roundsOf(faults, seed, minutes)].flat().slice(0, minutes);
      for (const [minute, fault] of sequence.entries()) {
        // A long fault shortens the wait for the next.
        await sleep(begun + minute * minuteMs + random.whole(5, 15) * 1000 - performance.now());
        const back = await suffer(processes, fault, random);
        const recoveryMs = await recovery.measure(back);
        rounds.push([{ fault, recoveryMs }]);
        onProgress(`minute ${minute + 1}: ${fault}, recovered in ${Math.round(recoveryMs)} ms`);
        if (violations.length > 0) break;
      }
      if (violations.length === 0) await sleep(begun + minutes * minuteMs - performance.now());
      await checkSettled(context, load.stop());
    } finally {
      await readiness.stop();
    }
    if (violations.length > 0) return;
    await checkAll(context, random);
    end = await takeSample(context);
    checkMemory(processes, start.memory, end.memory);
  });
  return { ...report, minutes, start, end };
}

async function takeSample(context: LoadContext): Promise<SoakSample> {
  const { processes } = context;
  const [connections] = await processes.query<{ count: number }>(
    (sql) => sql`
      SELECT count(*)::int FROM pg_stat_activity
      WHERE datname = current_database() AND backend_type = 'client backend' AND application_name <> 'faults'`,
  );
  const tables = await processes.query<{ name: string; bytes: number }>(
    (sql) => sql`
      SELECT relid::regclass::text AS name, pg_total_relation_size(relid)::float8 AS bytes
      FROM pg_stat_user_tables ORDER BY 2 DESC, 1`,
  );
  return {
    memory: await measureMemory(processes),
    connections: connections!.count,
    backlog: (await findOpenWork(context)).length,
    tables: new Map(tables.map(({ name, bytes }) => [name, bytes])),
  };
}
