import { setTimeout as sleep } from "node:timers/promises";
import type { RandomSource } from "@purser/core";
import type { Instance, ProcessSupervisor } from "./processes.ts";
import { weathers } from "./proxy.ts";

/**
 * Injects a fault and ends it. Returns how long the recovery took, in milliseconds, or null if there is nothing to recover
 * from.
 */
type Fault = (processes: ProcessSupervisor, chance: RandomSource) => Promise<number | null>;

const minute = 60_000;

export const faults = {
  "kill a server": async (processes, chance) => {
    const server = chance.pick(processes.servers);
    await processes.kill(server);
    await sleep(chance.whole(0, 500));
    return processes.start(server);
  },
  "kill the worker": async (processes, chance) => {
    await processes.kill(processes.worker);
    // The statements of a killed process may still run, and they count as its own.
    await processes.awaitDisconnection();
    const before = await jobsDone(processes);
    await sleep(chance.whole(0, 500));
    if ((await jobsDone(processes)) > before) processes.complain("Jobs ran without a worker");
    return processes.start(processes.worker);
  },
  "kill everything": async (processes) => {
    await Promise.all(processes.instances.map((one) => processes.kill(one)));
    const restart = await processes.cluster.crash();
    return restart + Math.max(...(await Promise.all(processes.instances.map((one) => processes.start(one)))));
  },
  "kill the postmaster": async (processes) => {
    const restart = await processes.cluster.crash();
    return restart + (await ready(processes));
  },
  "end all connections": async (processes, chance) => {
    for (let times = chance.whole(1, 3); times > 0; times -= 1) {
      await processes.look(
        (sql) => sql`
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND application_name <> 'faults'`,
      );
      if (times > 1) await sleep(1000);
    }
    return ready(processes);
  },
  "break the database's network": async (processes, chance) => {
    processes.network.turn(chance.pick(weathers));
    await sleep(chance.whole(300, 1500));
    await processes.network.clear();
    return ready(processes);
  },
  "break the clients' network": async (processes, chance) => {
    for (const { detour } of processes.servers) detour.turn(chance.pick(weathers));
    await sleep(chance.whole(300, 1500));
    for (const { detour } of processes.servers) detour.turn(null);
    return null;
  },
  "stop a server": (processes, chance) => replace(processes, chance.pick(processes.servers)),
  "stop the worker": (processes) => replace(processes, processes.worker),
  "set a clock wrong": async (processes, chance) => {
    const { process: wrong } = chance.pick(processes.instances);
    wrong!.tell({ shiftMs: chance.pick([-1, 1]) * chance.whole(1, 4) * minute });
    await sleep(chance.whole(300, 1200));
    wrong!.tell({ shiftMs: 0 });
    return null;
  },
  "fill the disk": async (processes, chance) => {
    const makeRoom = processes.cluster.fillDisk!();
    await sleep(chance.whole(500, 1500));
    makeRoom();
    await processes.cluster.revive();
    return ready(processes);
  },
} satisfies Record<string, Fault>;

export type FaultName = keyof typeof faults;
export const faultNames = Object.keys(faults) as FaultName[];

/** The recovery limit in milliseconds: 2 s after lost connections, 5 s after a dead process. */
export const limitOf = (name: FaultName): number => (/^(end|break)/.test(name) ? 2000 : 5000);

/** Stops a process with SIGTERM under load, and starts a new one. */
async function replace(processes: ProcessSupervisor, one: Instance): Promise<number> {
  await processes.stop(one);
  return processes.start(one);
}

/** Waits until every server reports that it is ready. Returns the time in milliseconds. */
async function ready(processes: ProcessSupervisor): Promise<number> {
  const begun = performance.now();
  for (const { port } of processes.servers) while (!(await isReady(port))) await sleep(10);
  return performance.now() - begun;
}

function isReady(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function jobsDone(processes: ProcessSupervisor): Promise<number> {
  const [row] = await processes.look<{ count: number }>(
    (sql) => sql`SELECT count(*)::int FROM pgboss.job WHERE state = 'completed'`,
  );
  return row!.count;
}
