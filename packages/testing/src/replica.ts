import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Database, connect, migrate } from "@purser/db";
import { hasEmbeddedPostgres, startEmbeddedPostgres } from "@purser/db/embedded";
import { migrateJobs } from "@purser/platform/jobs";
import { registeredJobs } from "@purser/service";
import { sql } from "drizzle-orm";
import { startTcpProxy } from "./tcp-proxy.ts";

/** A migrated database on its own server, and a streaming replica of it. */
export interface ReplicatedPostgres {
  readonly primaryUrl: string;
  readonly replicaUrl: string;
  /** Direct connections to both servers. */
  readonly primary: Database;
  readonly standby: Database;
  /** Pauses and resumes replay on the replica. Both are idempotent. */
  stall(): Promise<unknown>;
  resume(): Promise<unknown>;
  /** Keeps each further commit invisible on the primary once it is written, until `finishCommits`. Both are idempotent. */
  delayCommits(): Promise<void>;
  finishCommits(): Promise<void>;
  /** Lets replay wait this long for a query that it conflicts with, then cancel it. The start waits 30 seconds. */
  cancelConflictsAfter(milliseconds: number): Promise<void>;
  /** From now on the replica receives nothing, as in a failure of the network. */
  disconnectReplica(): void;
  /** Stops the primary, and makes the replica the primary: transactions that it has not received are lost. */
  failOver(): Promise<void>;
  /**
   * Starts a primary that has only what the replica has now, on a timeline of its own, as after a failover to another standby.
   * `stop` ends it too.
   */
  startFork(): Promise<string>;
  stopReplica(): Promise<void>;
  /** The address stays the same. */
  restartReplica(): Promise<void>;
  stop(): Promise<void>;
}

/** A promotion waits up to a minute. */
const patient = { statementTimeoutMs: 60_000 };

const shared = { fsync: "off", autovacuum: "off" };

/** Starts both in about a second. Returns null if the install has no embedded PostgreSQL. */
export async function startReplicatedPostgres(): Promise<ReplicatedPostgres | null> {
  if (!hasEmbeddedPostgres()) return null;
  const folder = await mkdtemp(join(tmpdir(), "purser-replicated-"));
  const [primaryDir, replicaDir, forkDir] = [
    join(folder, "primary"),
    join(folder, "replica"),
    join(folder, "fork"),
  ] as const;
  await createBoth(primaryDir, replicaDir);
  const server = await startEmbeddedPostgres({ dataDir: primaryDir, settings: shared });
  const network = await startTcpProxy(server.url);
  const startReplica = () =>
    startEmbeddedPostgres({ dataDir: replicaDir, settings: { ...shared, ...following(network.url) } });
  let replica = await startReplica();
  let fork: typeof server | undefined;
  const [primary, standby] = [connect(server.url), connect(replica.url, { max: 1, ...patient })];
  const set = async (db: Database, name: string, value: string) => {
    await db.execute(sql.raw(`ALTER SYSTEM SET ${name} = '${value}'`));
    await db.execute(sql`SELECT pg_reload_conf()`);
  };
  /** A commit waits for its synchronous standby after it is flushed and sent, and before it is visible. */
  const awaitStandby = (name: string) => set(primary, "synchronous_standby_names", name);
  return {
    primaryUrl: server.url,
    replicaUrl: replica.url,
    primary,
    standby,
    stall: () => standby.execute(sql`SELECT pg_wal_replay_pause()`),
    resume: () => standby.execute(sql`SELECT pg_wal_replay_resume()`),
    delayCommits: () => awaitStandby("none_of_this_name"),
    finishCommits: () => awaitStandby(""),
    cancelConflictsAfter: (milliseconds) => set(standby, "max_standby_streaming_delay", String(milliseconds)),
    disconnectReplica: () => network.refuse(),
    async failOver() {
      await server.stop();
      await standby.execute(sql`SELECT pg_promote()`);
    },
    async startFork() {
      await replica.stop();
      await copyCluster(replicaDir, forkDir);
      replica = await startReplica();
      fork = await startEmbeddedPostgres({ dataDir: forkDir, settings: shared });
      const db = connect(fork.url, { max: 1, ...patient });
      await db.execute(sql`SELECT pg_promote()`);
      await db.close();
      return fork.url;
    },
    stopReplica: () => replica.stop(),
    async restartReplica() {
      replica = await startReplica();
    },
    async stop() {
      await Promise.all([primary.close(), standby.close()]);
      await Promise.all([replica.stop(), server.stop(), fork?.stop()]);
      await network.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** The install has no pg_basebackup. A copy of a stopped cluster is a base backup. */
async function createBoth(primaryDir: string, replicaDir: string): Promise<void> {
  const server = await startEmbeddedPostgres({ dataDir: primaryDir, settings: shared });
  await migrate(server.url);
  await migrateJobs(server.url, registeredJobs);
  await server.stop();
  await copyCluster(primaryDir, replicaDir);
  await writeFile(join(replicaDir, "cluster", "standby.signal"), "");
}

async function copyCluster(from: string, to: string): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  const parts = ["cluster", "password"].map((name) => join(from, name));
  await promisify(execFile)("cp", ["-a", ...parts, to]);
}

function following(url: string): Record<string, string | number> {
  const { hostname, port, username, password } = new URL(url);
  return {
    primary_conninfo: `host=${hostname} port=${port} user=${username} password=${password}`,
    wal_retrieve_retry_interval: "50ms",
  };
}
