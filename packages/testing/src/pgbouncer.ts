import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "@purser/db";
import { sql } from "drizzle-orm";

/** Returns true if PgBouncer is installed. */
export function hasPgBouncer(): boolean {
  return spawnSync("pgbouncer", ["--version"], { stdio: "ignore" }).status === 0;
}

/** A PgBouncer in transaction mode, with default settings, in front of a database. */
export interface PgBouncer {
  /** The database's address through PgBouncer. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Part of the name of the Unix socket, which lies in a folder of its own. PgBouncer cannot have a free TCP port chosen. */
const socketNumber = 6432;

/** Starts PgBouncer with this many connections to the database. */
export async function startPgBouncer(databaseUrl: string, connections: number): Promise<PgBouncer> {
  const { hostname, port: databasePort, username, password } = new URL(databaseUrl);
  const folder = await mkdtemp(join(tmpdir(), "purser-pgbouncer-"));
  const file = join(folder, "pgbouncer.ini");
  await writeFile(
    file,
    `[databases]
* = host=${hostname} port=${databasePort} user=${username} password=${password}
[pgbouncer]
listen_port = ${socketNumber}
unix_socket_dir = ${folder}
auth_type = any
pool_mode = transaction
default_pool_size = ${connections}
`,
  );
  // PgBouncer refuses to run as root.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await Promise.all([chmod(folder, 0o777), chmod(file, 0o644)]);
  const child = spawn("pgbouncer", ["-q", ...(isRoot ? ["-u", "nobody"] : []), file], { stdio: "ignore" });
  const url = new URL(databaseUrl);
  url.searchParams.set("host", folder);
  url.host = `localhost:${socketNumber}`;
  const stop = async () => {
    await end(child);
    await rm(folder, { recursive: true });
  };
  try {
    await answers(url.href, child);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: url.href, stop };
}

async function answers(url: string, child: ChildProcess): Promise<void> {
  const db = connect(url, { max: 1, prepare: false });
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await db.execute(sql`SELECT 1`);
        return;
      } catch (error) {
        if (attempt === 100 || child.exitCode !== null) throw error;
        await sleep(20);
      }
    }
  } finally {
    await db.close();
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}
