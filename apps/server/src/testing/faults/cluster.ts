import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "@purser/db";
import { startEmbeddedPostgres } from "@purser/db/embedded";
import { databasePid } from "../process.ts";
import { fillDisk, smallDisk } from "./disk.ts";

/** The PostgreSQL of a run, as it comes: what it has acknowledged is on the disk (fsync is on). */
export interface Cluster {
  readonly port: number;
  /** Where a database of it is reached; by way of a proxy if its port is given. */
  url(database: string, port?: number): string;
  /** Runs one statement that must not be in a transaction. */
  administer(statement: string): Promise<void>;
  /** Kills the postmaster and starts it again; gives how long the start took, in milliseconds. */
  crash(): Promise<number>;
  /** Starts it again where it has given up by itself, as it may when its disk is full. */
  revive(): Promise<void>;
  /** Leaves no room on its disk until the function that it gives is called; null where it shares its disk. */
  fillDisk: (() => () => void) | null;
  stop(): Promise<void>;
}

const settings = { max_connections: 120, max_wal_size: "128MB" };

/** Starts a cluster in a new folder; on the small disk of this process where that is asked for and there is one. */
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
      // One that has ended by itself is not to be killed: its number may be somebody else's by now.
      const pid = databasePid(dataDir);
      if (pid === server.pid) process.kill(pid, "SIGKILL");
      const begun = performance.now();
      server = await start();
      return performance.now() - begun;
    },
    async revive() {
      // One that runs is taken over.
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
