import { once } from "node:events";
import { closeSync, openSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { type OsAccount, spawnProgram } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import { superuser } from "./cluster.ts";
import { isProcessAlive, processExists, waitUntil, worksIn } from "./process.ts";

/** A running PostgreSQL server. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
}

const startTimeoutMs = 60_000;
const shutdownTimeoutMs = 10_000;
const maxLogBytes = 10 * 1024 * 1024;
/** Larger than any process id that a kernel assigns. */
const impossiblePid = 2_147_483_646;

export function databaseUrl(port: number, password: string): string {
  return `postgres://${superuser}:${password}@127.0.0.1:${port}/postgres`;
}

/** Returns the server that an earlier process left running on this cluster, once it responds; else undefined. */
export async function findRunning(cluster: string, password: string): Promise<Postmaster | undefined> {
  const found = readLockFile(cluster);
  if (found === undefined) return undefined;
  const deadline = performance.now() + startTimeoutMs;
  while (worksIn(found.pid, cluster)) {
    const port = readLockFile(cluster)?.port;
    if (port !== undefined && (await answers(databaseUrl(port, password)))) return { pid: found.pid, port };
    if (performance.now() > deadline) {
      throw new Error(
        `PostgreSQL (process ${found.pid}) runs on ${cluster} but does not answer. Stop it first.`,
      );
    }
    await sleep(50);
  }
  disown(cluster, found.pid);
  return undefined;
}

/** Starts the server and waits until it accepts connections. Throws with the end of its log if it does not. */
export async function launchPostmaster(
  binaries: Binaries,
  account: OsAccount,
  cluster: string,
  options: { port: number; logFile: string; settings: Readonly<Record<string, string | number>> },
): Promise<Postmaster> {
  const settings = Object.entries({
    listen_addresses: "127.0.0.1",
    port: options.port,
    // A socket's path is limited to about 100 bytes, and a deep folder exceeds that.
    unix_socket_directories: "",
    timezone: "UTC",
    log_timezone: "UTC",
    ...options.settings,
  }).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const log = openLog(options.logFile);
  const logStart = statSync(options.logFile).size;
  const child = spawnProgram(account, binaries.postgres, ["-D", cluster, ...settings], ["ignore", log, log]);
  closeSync(log);
  child.unref();
  await once(child, "spawn");
  const { pid = impossiblePid } = child;
  const ready = () => readLockFile(cluster)?.pid === pid && readLockFile(cluster)?.ready === true;
  const settled = await waitUntil(
    () => child.exitCode !== null || child.signalCode !== null || ready(),
    startTimeoutMs,
  );
  if (settled && isProcessAlive(pid)) return { pid, port: options.port };
  if (isProcessAlive(pid)) await stopPostmaster(pid, cluster);
  const reason = readFileSync(options.logFile).subarray(logStart).toString("utf8").trim().slice(-2000);
  throw new Error(`PostgreSQL did not start on ${cluster}:\n${reason}`);
}

/** Fast shutdown: rolls back open transactions, keeps acknowledged ones. Resolves when the server has ended. */
export async function stopPostmaster(pid: number, cluster: string): Promise<void> {
  const ended = () => !isProcessAlive(pid);
  // Do not kill an unrelated process that reused the id of ours.
  if (!worksIn(pid, cluster)) return;
  for (const signal of ["SIGINT", "SIGQUIT", "SIGKILL"] as const) {
    if (ended()) return;
    process.kill(pid, signal);
    if (await waitUntil(ended, signal === "SIGINT" ? shutdownTimeoutMs : 2000)) return;
  }
  throw new Error(`PostgreSQL (process ${pid}) does not end.`);
}

/** Returns the preferred port of 127.0.0.1 if it is free, else one that the system chooses. */
export async function choosePort(preferred: number | undefined): Promise<number> {
  if (preferred !== undefined && (await listenOnce(preferred).catch(() => 0)) === preferred) return preferred;
  return listenOnce(0);
}

async function listenOnce(port: number): Promise<number> {
  const server = createServer();
  await once(server.listen(port, "127.0.0.1"), "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function answers(url: string): Promise<boolean> {
  const client = postgres(url, { max: 1, connect_timeout: 2, fetch_types: false, onnotice: () => undefined });
  try {
    await client`select 1`;
    return true;
  } catch {
    return false;
  } finally {
    await client.end({ timeout: 1 });
  }
}

/**
 * PostgreSQL refuses to start while any process has the id in postmaster.pid. After the machine or container crashed,
 * an unrelated process may have it. The file stays, with an impossible id, because PostgreSQL also reads from it which
 * shared memory to check for server processes that are still running.
 */
function disown(cluster: string, pid: number): void {
  const file = join(cluster, "postmaster.pid");
  if (!processExists(pid) || readLockFile(cluster)?.pid !== pid) return;
  writeFileSync(file, readFileSync(file, "utf8").replace(/^.*/, String(impossiblePid)));
}

function readLockFile(cluster: string): { pid: number; port?: number; ready: boolean } | undefined {
  try {
    const lines = readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n");
    const [pid, port] = [Number(lines[0]), Number(lines[3])];
    if (!Number.isInteger(pid) || pid <= 0) return undefined;
    return { pid, ...(port > 0 && { port }), ready: lines[7]?.trim() === "ready" };
  } catch {
    return undefined;
  }
}

function openLog(file: string): number {
  const log = openSync(file, "a", 0o600);
  if (statSync(file).size > maxLogBytes) truncateSync(file);
  return log;
}
