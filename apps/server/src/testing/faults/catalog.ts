import { setTimeout as sleep } from "node:timers/promises";
import type { RandomSource } from "@purser/core";
import { type FaultyProxy, networkConditions } from "./faulty-proxy.ts";
import { holdAllConnections, holdLock } from "./foreign-program.ts";
import type { Instance, ProcessSupervisor } from "./process-supervisor.ts";

/** A fault. This file is the only place that knows its name. */
export interface Fault {
  /** What it breaks, and what ends it: for the help. */
  does: string;
  undoes: string;
  /** The longest time from the begin of the undoing until every process is ready and a write succeeds on each server. */
  limitMs: number;
  /** The only PostgreSQL that it can be injected into. Default: any. */
  only?: "embedded" | "citus";
  /** Injects the fault and lets it last. Returns the function that undoes it. */
  inject: (processes: ProcessSupervisor, random: RandomSource) => Promise<() => unknown>;
}

const minute = 60_000;
const day = 24 * 60 * minute;

/** The limits after lost connections, and after a process or a host that has ended. */
const [connectionsMs, processesMs] = [2000, 5000];

const localHost = "127.0.0.1";

export const faults = {
  "kill a server": {
    does: "SIGKILL to one server",
    undoes: "starts it again",
    limitMs: processesMs,
    inject: async (processes, random) => {
      const server = random.pick(processes.servers);
      await processes.kill(server);
      await sleep(random.whole(0, 500));
      return () => processes.start(server);
    },
  },
  "kill the worker": {
    does: "SIGKILL to the worker",
    undoes: "starts it again",
    limitMs: processesMs,
    inject: async (processes, random) => {
      await processes.kill(processes.worker);
      // The statements of a killed process may still run, and they count as its own.
      await processes.waitUntilDisconnected();
      const before = await countCompletedJobs(processes);
      await sleep(random.whole(0, 500));
      if ((await countCompletedJobs(processes)) > before)
        processes.reportViolation("Jobs were completed while no worker ran");
      return () => processes.start(processes.worker);
    },
  },
  "kill everything": {
    does: "SIGKILL to all processes and to PostgreSQL",
    undoes: "starts PostgreSQL, then the others",
    limitMs: processesMs,
    inject: async (processes) => {
      await Promise.all(processes.instances.map((instance) => processes.kill(instance)));
      processes.cluster.kill();
      return async () => {
        await processes.cluster.revive();
        await Promise.all(processes.instances.map((instance) => processes.start(instance)));
      };
    },
  },
  "kill the postmaster": {
    does: "SIGKILL to PostgreSQL",
    undoes: "starts it again",
    limitMs: processesMs,
    inject: async ({ cluster }) => {
      cluster.kill();
      return () => cluster.revive();
    },
  },
  "end all connections": {
    does: "pg_terminate_backend of all, one to three times within a second each",
    undoes: "nothing",
    limitMs: connectionsMs,
    inject: async (processes, random) => {
      for (let times = random.whole(1, 3); times > 0; times -= 1) {
        await processes.endConnections();
        if (times > 1) await sleep(1000);
      }
      return () => undefined;
    },
  },
  "break the database's network": {
    does: "cuts, half-closes, splits or delays what passes between the processes and PostgreSQL",
    undoes: "nothing: everything passes again, and what was delayed has arrived",
    limitMs: connectionsMs,
    inject: ({ network }, random) => disturb(network, random),
  },
  "break the clients' network": {
    does: "the same between the clients and the servers",
    undoes: "lets everything pass",
    limitMs: connectionsMs,
    inject: async ({ servers }, random) => {
      for (const { proxy } of servers) proxy.setCondition(random.pick(networkConditions));
      await sleep(random.whole(300, 1500));
      return () => servers.forEach(({ proxy }) => proxy.setCondition(null));
    },
  },
  "stop a server": {
    does: "SIGTERM to one server",
    undoes: "starts it again",
    limitMs: processesMs,
    inject: (processes, random) => stop(processes, random.pick(processes.servers)),
  },
  "stop the worker": {
    does: "SIGTERM to the worker",
    undoes: "starts it again",
    limitMs: processesMs,
    inject: (processes) => stop(processes, processes.worker),
  },
  "set a clock wrong": {
    does: "shifts the clock of one process by up to four minutes",
    undoes: "sets it right",
    limitMs: connectionsMs,
    inject: async (processes, random) => {
      const { process: shifted } = random.pick(processes.instances);
      shifted!.sendMessage({ shiftMs: random.pick([-1, 1]) * random.whole(1, 4) * minute });
      await sleep(random.whole(300, 1200));
      return () => shifted!.sendMessage({ shiftMs: 0 });
    },
  },
  "fill the disk": {
    does: "fills the disk of PostgreSQL; only where the system allows a small one",
    undoes: "makes room, and starts PostgreSQL if it has ended",
    limitMs: processesMs,
    only: "embedded",
    inject: async ({ cluster }, random) => {
      const makeRoom = cluster.fillDisk!();
      await sleep(random.whole(500, 1500));
      return () => {
        makeRoom();
        return cluster.revive();
      };
    },
  },
  "open a black hole": {
    does: "swallows all packets between the processes and PostgreSQL, both ways, for 2 to 60 s",
    undoes: "lets packets pass; old connections are back within 5 s, when TCP repeats, or gone for good",
    limitMs: processesMs,
    inject: async ({ network, databaseHost }, random) => {
      network.silence(databaseHost);
      await lastBetween(2000, 60_000, random);
      return () => network.restore(databaseHost, random.pick(["back", "gone"]));
    },
  },
  "move the database": {
    does: "the host of the database falls silent for good",
    undoes: "after 1 to 20 s its name leads to a new host",
    limitMs: processesMs,
    inject: async (processes, random) => {
      const { network, databaseHost } = processes;
      network.silence(databaseHost);
      await lastBetween(1000, 20_000, random);
      return () => {
        processes.moveDatabase();
        // For the next move: the old host comes back and knows none of its connections.
        network.restore(databaseHost, "gone");
      };
    },
  },
  "fail over": {
    does: "PostgreSQL ends, and its address leads to a standby that is read-only for 1 to 15 s",
    undoes: "promotes the standby",
    limitMs: processesMs,
    only: "embedded",
    inject: async ({ cluster }, random) => {
      const promoteStandby = await cluster.failOver!();
      await lastBetween(1000, 15_000, random);
      return promoteStandby;
    },
  },
  "forbid writes": {
    does: "default_transaction_read_only on existing connections for 1 to 15 s",
    undoes: "resets it",
    limitMs: processesMs,
    inject: async ({ cluster }, random) => {
      await cluster.configure({ default_transaction_read_only: "on" });
      await lastBetween(1000, 15_000, random);
      return () => cluster.configure({ default_transaction_read_only: null });
    },
  },
  "exhaust connections": {
    does: "another program takes all connections for 1 to 15 s, in half of the cases also those of the processes",
    undoes: "closes them",
    limitMs: processesMs,
    inject: async (processes, random) => {
      const release = holdAllConnections(processes.directUrl);
      await sleep(500);
      if (random.happens(0.5)) await processes.endConnections();
      await lastBetween(1000, 15_000, random);
      return release;
    },
  },
  "stop PostgreSQL": {
    does: "SIGSTOP to all processes of PostgreSQL for 1 to 30 s",
    undoes: "SIGCONT",
    limitMs: processesMs,
    inject: async ({ cluster }, random) => {
      const resume = cluster.pause();
      await lastBetween(1000, 30_000, random);
      return resume;
    },
  },
  "lock tables": {
    does: "another program holds an exclusive lock on two hot tables for 1 to 15 s",
    undoes: "releases it",
    limitMs: processesMs,
    inject: async ({ directUrl }, random) => {
      const release = await holdLock(directUrl, random.pick(hotTables));
      await lastBetween(1000, 15_000, random);
      return release;
    },
  },
  "slow the disk": {
    does: "each flush of the log takes 100 ms longer (commit_delay), and SIGSTOP stalls PostgreSQL for up to 0.7 s in each second, for 2 to 15 s",
    undoes: "resets it",
    limitMs: processesMs,
    inject: async ({ cluster }, random) => {
      await cluster.configure({ commit_delay: "100000", commit_siblings: "0" });
      const until = performance.now() + betweenLogarithmically(2000, 15_000, random);
      while (performance.now() < until) {
        const resume = cluster.pause();
        await sleep(random.whole(50, 700));
        await resume();
        await sleep(random.whole(200, 500));
      }
      return () => cluster.configure({ commit_delay: null, commit_siblings: null });
    },
  },
  "move the worker's clock": {
    does: "the worker's clock jumps by eight days for 1 to 5 s, and each scheduled job runs meanwhile",
    undoes: "sets it right",
    limitMs: processesMs,
    inject: async (processes, random) => {
      const { process: shifted } = processes.worker;
      shifted!.sendMessage({ shiftMs: random.pick([-8, 8]) * day });
      await processes.runScheduledJobs();
      await lastBetween(1000, 5000, random);
      return () => shifted!.sendMessage({ shiftMs: 0 });
    },
  },
  "kill a node": {
    does: "SIGKILL to one node of the Citus cluster for 1 to 15 s, in half of the cases also to a server, which starts again meanwhile; the organizations of the others are served",
    undoes: "starts it again",
    limitMs: processesMs,
    only: "citus",
    inject: async (processes, random) => {
      const { nodes, servers } = processes;
      const node = random.pick(nodes!.all);
      node.server.kill();
      if (random.happens(0.5)) {
        const server = random.pick(servers);
        await processes.kill(server);
        await processes.start(server);
      }
      nodes!.begin(node, connectionsMs);
      await lastBetween(1000, 15_000, random);
      return () => {
        nodes!.end();
        return node.server.revive();
      };
    },
  },
  "cut off a node": {
    does: "swallows all packets between one node and the processes, the coordinator and the other nodes, for 2 to 60 s",
    undoes: "lets packets pass; old connections are back within 5 s, when TCP repeats, or gone for good",
    limitMs: processesMs,
    only: "citus",
    inject: async ({ nodes }, random) => {
      const node = random.pick(nodes!.all);
      // No request must be served meanwhile: statements that wait for it may take all connections (docs/scaling.md).
      node.proxy.silence(localHost);
      await lastBetween(2000, 60_000, random);
      return () => node.proxy.restore(localHost, random.pick(["back", "gone"]));
    },
  },
  "break a node's network": {
    does: "cuts, half-closes, splits or delays what passes between one node and all others",
    undoes: "nothing: everything passes again, and what was delayed has arrived",
    limitMs: connectionsMs,
    only: "citus",
    inject: ({ nodes }, random) => disturb(random.pick(nodes!.all).proxy, random),
  },
  "move an organization": {
    does: "moves a tenant's organization to another node, which blocks writes into it for a moment",
    undoes: "nothing",
    limitMs: connectionsMs,
    only: "citus",
    inject: async ({ nodes }, random) => {
      await nodes!.moveOne(random);
      return () => undefined;
    },
  },
} satisfies Record<string, Fault>;

export type InjectedFault = keyof typeof faults;
export const allFaultNames = Object.keys(faults) as InjectedFault[];
const namesFor = (kind: Fault["only"]) =>
  allFaultNames.filter((name) => {
    const { only }: Fault = faults[name];
    return only === undefined || only === kind;
  });
/** The faults of an embedded PostgreSQL, and those of a Citus cluster. */
export const faultNames = namesFor("embedded");
export const citusFaultNames = namesFor("citus");

/** Tables that most requests or jobs need. */
const hotTables = [
  "sessions, organizations",
  "card_transactions, card_counters",
  "bank_transactions, bank_syncs",
  "idempotency_keys, audit_entries",
  "webhook_events, webhook_deliveries",
  "pgboss.job",
];

/** Lasts a random time, of which each power of two is as likely as the next: long ones are rare. */
function lastBetween(leastMs: number, mostMs: number, random: RandomSource): Promise<void> {
  return sleep(betweenLogarithmically(leastMs, mostMs, random));
}

const betweenLogarithmically = (least: number, most: number, random: RandomSource) =>
  Math.round(least * (most / least) ** random.fraction());

/** Breaks a network for a moment. It is back when nothing is held up any more: a delay outlasts its condition. */
async function disturb(network: FaultyProxy, random: RandomSource): Promise<() => unknown> {
  network.setCondition(random.pick(networkConditions));
  await sleep(random.whole(300, 1500));
  await network.clear();
  return () => undefined;
}

/** Stops a process with SIGTERM under load. */
async function stop(processes: ProcessSupervisor, instance: Instance): Promise<() => unknown> {
  await processes.stop(instance);
  return () => processes.start(instance);
}

async function countCompletedJobs(processes: ProcessSupervisor): Promise<number> {
  const [row] = await processes.query<{ count: number }>(
    (sql) => sql`SELECT count(*)::int FROM pgboss.job WHERE state = 'completed'`,
  );
  return row!.count;
}
