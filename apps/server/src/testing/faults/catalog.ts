import { setTimeout as sleep } from "node:timers/promises";
import type { Chance } from "@purser/core";
import { weathers } from "./proxy.ts";
import type { Instance, Stage } from "./processes.ts";

/**
 * Lets something go wrong and puts it right again; gives how long the recovery took, in milliseconds, or null where
 * there is nothing to recover from.
 */
type Fault = (stage: Stage, chance: Chance) => Promise<number | null>;

const minute = 60_000;

export const faults = {
  "kill a server": async (stage, chance) => {
    const server = chance.pick(stage.servers);
    await stage.kill(server);
    await sleep(chance.whole(0, 500));
    return stage.start(server);
  },
  "kill the worker": async (stage, chance) => {
    await stage.kill(stage.worker);
    // Its last statements may still be on their way, and count as its own.
    await stage.awaitDisconnection();
    const before = await jobsDone(stage);
    await sleep(chance.whole(0, 500));
    if ((await jobsDone(stage)) > before) stage.complain("Jobs were run while there was no worker");
    return stage.start(stage.worker);
  },
  "kill everything": async (stage) => {
    await Promise.all(stage.instances.map((one) => stage.kill(one)));
    const restart = await stage.cluster.crash();
    return restart + Math.max(...(await Promise.all(stage.instances.map((one) => stage.start(one)))));
  },
  "kill the postmaster": async (stage) => {
    const restart = await stage.cluster.crash();
    return restart + (await ready(stage));
  },
  "end all connections": async (stage, chance) => {
    for (let times = chance.whole(1, 3); times > 0; times -= 1) {
      await stage.look(
        (sql) => sql`
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND application_name <> 'faults'`,
      );
      if (times > 1) await sleep(1000);
    }
    return ready(stage);
  },
  "break the database's network": async (stage, chance) => {
    stage.network.turn(chance.pick(weathers));
    await sleep(chance.whole(300, 1500));
    await stage.network.clear();
    return ready(stage);
  },
  "break the clients' network": async (stage, chance) => {
    for (const { detour } of stage.servers) detour.turn(chance.pick(weathers));
    await sleep(chance.whole(300, 1500));
    for (const { detour } of stage.servers) detour.turn(null);
    return null;
  },
  "stop a server": (stage, chance) => replace(stage, chance.pick(stage.servers)),
  "stop the worker": (stage) => replace(stage, stage.worker),
  "set a clock wrong": async (stage, chance) => {
    const { process: wrong } = chance.pick(stage.instances);
    wrong!.tell({ shiftMs: chance.pick([-1, 1]) * chance.whole(1, 4) * minute });
    await sleep(chance.whole(300, 1200));
    wrong!.tell({ shiftMs: 0 });
    return null;
  },
  "fill the disk": async (stage, chance) => {
    const makeRoom = stage.cluster.fillDisk!();
    await sleep(chance.whole(500, 1500));
    makeRoom();
    await stage.cluster.revive();
    return ready(stage);
  },
} satisfies Record<string, Fault>;

export type FaultName = keyof typeof faults;
export const faultNames = Object.keys(faults) as FaultName[];

/** What recovery may take at most, in milliseconds: that of what dies, and that of what only loses its connections. */
export const limitOf = (name: FaultName): number => (/^(end|break)/.test(name) ? 2000 : 5000);

/** SIGTERM under load, and a new process. */
async function replace(stage: Stage, one: Instance): Promise<number> {
  await stage.stop(one);
  return stage.start(one);
}

/** Waits until every server says that it is ready. */
async function ready(stage: Stage): Promise<number> {
  const begun = performance.now();
  for (const { port } of stage.servers) while (!(await isReady(port))) await sleep(10);
  return performance.now() - begun;
}

function isReady(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function jobsDone(stage: Stage): Promise<number> {
  const [row] = await stage.look<{ count: number }>(
    (sql) => sql`SELECT count(*)::int FROM pgboss.job WHERE state = 'completed'`,
  );
  return row!.count;
}
