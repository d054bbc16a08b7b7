import { setTimeout as sleep } from "node:timers/promises";
import type { RandomSource } from "@purser/core";
import type { Instance, ProcessSupervisor } from "./process-supervisor.ts";
import { networkConditions } from "./faulty-proxy.ts";

/**
 * Injects a fault and ends it. Returns how long the recovery took, in milliseconds, or null if there is nothing to recover
 * from.
 */
type Fault = (processes: ProcessSupervisor, random: RandomSource) => Promise<number | null>;

const minute = 60_000;

export const faults = {
  "kill a server": async (processes, random) => {
    const server = random.pick(processes.servers);
    await processes.kill(server);
    await sleep(random.whole(0, 500));
    return processes.start(server);
  },
  "kill the worker": async (processes, random) => {
    await processes.kill(processes.worker);
    // The statements of a killed process may still run, and they count as its own.
    await processes.waitUntilDisconnected();
    const before = await countCompletedJobs(processes);
    await sleep(random.whole(0, 500));
    if ((await countCompletedJobs(processes)) > before)
      processes.reportViolation("Jobs were completed while no worker ran");
    return processes.start(processes.worker);
  },
  "kill everything": async (processes) => {
    await Promise.all(processes.instances.map((instance) => processes.kill(instance)));
    const restart = await processes.cluster.crash();
    return (
      restart +
      Math.max(...(await Promise.all(processes.instances.map((instance) => processes.start(instance)))))
    );
  },
  "kill the postmaster": async (processes) => {
    const restart = await processes.cluster.crash();
    return restart + (await waitUntilReady(processes));
  },
  "end all connections": async (processes, random) => {
    for (let times = random.whole(1, 3); times > 0; times -= 1) {
      await processes.query(
        (sql) => sql`
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND application_name <> 'faults'`,
      );
      if (times > 1) await sleep(1000);
    }
    return waitUntilReady(processes);
  },
  "break the database's network": async (processes, random) => {
    processes.network.setCondition(random.pick(networkConditions));
    await sleep(random.whole(300, 1500));
    await processes.network.clear();
    return waitUntilReady(processes);
  },
  "break the clients' network": async (processes, random) => {
    for (const { proxy } of processes.servers) proxy.setCondition(random.pick(networkConditions));
    await sleep(random.whole(300, 1500));
    for (const { proxy } of processes.servers) proxy.setCondition(null);
    return null;
  },
  "stop a server": (processes, random) => replace(processes, random.pick(processes.servers)),
  "stop the worker": (processes) => replace(processes, processes.worker),
  "set a clock wrong": async (processes, random) => {
    const { process: shifted } = random.pick(processes.instances);
    shifted!.sendMessage({ shiftMs: random.pick([-1, 1]) * random.whole(1, 4) * minute });
    await sleep(random.whole(300, 1200));
    shifted!.sendMessage({ shiftMs: 0 });
    return null;
  },
  "fill the disk": async (processes, random) => {
    const makeRoom = processes.cluster.fillDisk!();
    await sleep(random.whole(500, 1500));
    makeRoom();
    await processes.cluster.revive();
    return waitUntilReady(processes);
  },
} satisfies Record<string, Fault>;

export type InjectedFault = keyof typeof faults;
export const faultNames = Object.keys(faults) as InjectedFault[];

/** The recovery limit in milliseconds: 2 s after lost connections, 5 s after a dead process. */
export const limitOf = (name: InjectedFault): number => (/^(end|break)/.test(name) ? 2000 : 5000);

/** Stops a process with SIGTERM under load, and starts a new one. */
async function replace(processes: ProcessSupervisor, instance: Instance): Promise<number> {
  await processes.stop(instance);
  return processes.start(instance);
}

/** Waits until every server reports that it is ready. Returns the time in milliseconds. */
async function waitUntilReady(processes: ProcessSupervisor): Promise<number> {
  const start = performance.now();
  for (const { port } of processes.servers) while (!(await isReady(port))) await sleep(10);
  return performance.now() - start;
}

function isReady(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function countCompletedJobs(processes: ProcessSupervisor): Promise<number> {
  const [row] = await processes.query<{ count: number }>(
    (sql) => sql`SELECT count(*)::int FROM pgboss.job WHERE state = 'completed'`,
  );
  return row!.count;
}
