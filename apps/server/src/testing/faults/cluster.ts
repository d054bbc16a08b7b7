import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "@purser/db";
import { startEmbeddedPostgres } from "@purser/db/embedded";
import { databasePid } from "@purser/testing/process";
import { fillDisk, smallDisk } from "./disk.ts";
import type { LocalPostgres } from "./local-postgres.ts";
import { pausePostgres } from "./pause-postgres.ts";
import { promote, startStandby } from "./standby.ts";

/** The PostgreSQL of a run: an embedded one, or a Citus cluster (`openCitusCluster`). */
export interface Cluster {
  readonly port: number;
  /** The nodes of a Citus cluster below its coordinator. None of one PostgreSQL. */
  readonly nodes: readonly LocalPostgres[];
  /** The URL of one of its databases, through a proxy if its port and address are passed. */
  url(database: string, port?: number, host?: string): string;
  /** Creates a database: an empty one, or on a Citus cluster one whose tables are distributed. */
  createDatabase(name: string): Promise<void>;
  dropDatabase(name: string): Promise<void>;
  /** Kills the postmaster. */
  kill(): void;
  /** Starts it again, unless it still runs, as it may after its disk was full. */
  revive(): Promise<void>;
  /** Changes settings of all its connections; null resets one. */
  configure(changed: Record<string, string | null>): Promise<void>;
  /** Stops it with SIGSTOP until the returned function is called, or this process ends. */
  pause(): () => Promise<void>;
  /**
   * Ends it in favor of a standby, which has everything that it acknowledged. Until the returned function is called, the
   * standby is read-only. Then it is the primary. Null if the harness cannot start a standby.
   */
  failOver: (() => Promise<() => Promise<void>>) | null;
  /** The end of its log, which tells why it does not accept connections. */
  logTail(): string;
  /** Fills its disk until the returned function is called. Null if the disk is shared. */
  fillDisk: (() => () => void) | null;
  stop(): Promise<void>;
}

/** More connections than the processes need: after a black hole, PostgreSQL keeps the lost ones for a while. */
const settings = { max_connections: 240, max_wal_size: "128MB" };

/**
 * Starts an embedded PostgreSQL in a new folder, on the small disk of this process if requested and available. It has its default
 * durability: an acknowledged commit is on disk (fsync is on).
 */
export async function startCluster({ onSmallDisk = false } = {}): Promise<Cluster> {
  const small = onSmallDisk ? smallDisk() : null;
  const createFolder = () => mkdtempSync(join(small ?? tmpdir(), "purser-faults-"));
  let dataDir = createFolder();
  const start = () => startEmbeddedPostgres({ dataDir, settings });
  let server = await start();
  const url: Cluster["url"] = (database, port = server.port, host = "127.0.0.1") => {
    const address = new URL(server.url);
    address.hostname = host;
    address.port = String(port);
    address.pathname = `/${database}`;
    return address.href;
  };
  return {
    get port() {
      return server.port;
    },
    nodes: [],
    url,
    createDatabase: (name) => runStatement(url("postgres"), `CREATE DATABASE ${name}`),
    dropDatabase: (name) => runStatement(url("postgres"), `DROP DATABASE ${name} WITH (FORCE)`),
    kill() {
      // Do not kill a cluster that has ended, because its process id may have been reused.
      const pid = databasePid(dataDir);
      if (pid === server.pid) process.kill(pid, "SIGKILL");
    },
    async revive() {
      server = await start();
    },
    configure: (changed) => configurePostgres(url("postgres"), changed),
    pause: () => pausePostgres(server.pid),
    async failOver() {
      const [primary, folder] = [{ dataDir, server }, createFolder()];
      const standby = await startStandby(primary, folder, settings);
      [dataDir, server] = [folder, standby];
      // A fast shutdown ends when the standby has received all of the log.
      await primary.server.stop();
      rmSync(primary.dataDir, { recursive: true, force: true });
      return () => promote(standby);
    },
    logTail: () => readFileSync(join(dataDir, "postgres.log"), "utf8").slice(-3000),
    fillDisk: small === null ? null : () => fillDisk(small),
    async stop() {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Changes settings of all connections of a server; null resets one. */
export async function configurePostgres(url: string, changed: Record<string, string | null>): Promise<void> {
  for (const [name, value] of Object.entries(changed)) {
    const change = value === null ? `RESET ${name}` : `SET ${name} = '${value}'`;
    await runStatement(url, `ALTER SYSTEM ${change}`);
  }
  await runStatement(url, "SELECT pg_reload_conf()");
}

/** Runs one statement outside a transaction. */
export async function runStatement(url: string, statement: string): Promise<void> {
  const db = connect(url, { max: 1, statementTimeoutMs: 60_000 });
  try {
    await db.$client.unsafe(statement);
  } finally {
    await db.close();
  }
}
