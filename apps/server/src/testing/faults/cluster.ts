import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "@purser/db";
import { startEmbeddedPostgres } from "@purser/db/embedded";
import { databasePid } from "../process.ts";
import { fillDisk, smallDisk } from "./disk.ts";

/** The PostgreSQL of a run with its default durability: an acknowledged commit is on disk (fsync is on). */
export interface Cluster {
  readonly port: number;
  /** The URL of one of its databases, through a proxy if its port is passed. */
  url(database: string, port?: number): string;
  /** Runs one statement outside a transaction. */
  administer(statement: string): Promise<void>;
  /** Kills the postmaster and restarts it. Returns the time of the start in milliseconds. */
  crash(): Promise<number>;
  /** Restarts it if it has ended, as it may after its disk was full. */
  revive(): Promise<void>;
  /** Fills its disk until the returned function is called. Null if the disk is shared. */
  fillDisk: (() => () => void) | null;
  stop(): Promise<void>;
}

const settings = { max_connections: 120, max_wal_size: "128MB" };

/** Starts a cluster in a new folder, on the small disk of this process if requested and available. */
export async function startCluster({ onSmallDisk = false } = {}): Promise<Cluster> {
  const small = onSmallDisk ? smallDisk() : null;
  const dataDir = mkdtempSync(join(small ?? tmpdir(), "purser-faults-"));
  const start = () => startEmbeddedPostgres({ dataDir, settings });
  let server = await start();
  const url: Cluster["url"] = (database, port = server.port) => {
    const address = new URL(server.url);
    address.port = String(port);
    address.pathname = `/${database}`;
    return address.href;
  };
  return {
    get port() {
      return server.port;
    },
    url,
    administer: (statement) => runAlone(url("postgres"), statement),
    async crash() {
      // Do not kill a cluster that has ended, because its process id may have been reused.
      const pid = databasePid(dataDir);
      if (pid === server.pid) process.kill(pid, "SIGKILL");
      const begun = performance.now();
      server = await start();
      return performance.now() - begun;
    },
    async revive() {
      // If it still runs, keep it.
      server = await start();
    },
    fillDisk: small === null ? null : () => fillDisk(join(dataDir, "ballast")),
    async stop() {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function runAlone(url: string, statement: string): Promise<void> {
  const db = connect(url, { max: 1, statementTimeoutMs: 60_000 });
  try {
    await db.$client.unsafe(statement);
  } finally {
    await db.close();
  }
}
