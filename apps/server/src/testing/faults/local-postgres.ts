import { spawn } from "node:child_process";
import { type Stats, closeSync, openSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { errorText } from "@purser/core";
import { connect } from "@purser/db";
import { type ServerAddress, databaseAt } from "@purser/testing";
import { pausePostgres } from "./pause-postgres.ts";

/** A PostgreSQL on this machine that the harness has not started. */
export interface LocalPostgres {
  readonly address: ServerAddress;
  /** Kills its postmaster, unless that has ended. */
  kill(): void;
  /** Starts it again as it was started before, unless it still runs. Resolves when it accepts connections. */
  revive(): Promise<void>;
  /** Stops it with SIGSTOP until the returned function is called, or this process ends. */
  pause(): () => Promise<void>;
  /** The end of its log, if that is a file. */
  logTail(): string;
}

/** How the postmaster was started. */
interface Start {
  program: string;
  args: string[];
  env: Record<string, string>;
  folder: Stats;
  logFile: string;
}

const startLimitMs = 60_000;

/**
 * Finds the server that has this database on this machine. Throws an error that says what is missing to kill it and to start it
 * again: it must run here, on Linux, and this process as root or as the server's user.
 */
export async function findLocalPostgres(url: string, address: ServerAddress): Promise<LocalPostgres> {
  const own = databaseAt(url, "postgres", address);
  const dataDir = await readDataDir(own);
  const lockFile = join(dataDir, "postmaster.pid");
  const readPid = () => Number(readFileSync(lockFile, "utf8").split("\n")[0]);
  let start: Start;
  try {
    start = readStart(readPid(), dataDir);
  } catch (error) {
    throw new Error(
      `The server at ${address.host}:${address.port} cannot be killed and started from here: ${errorText(error)}. ` +
        "All servers of the cluster must run on this machine (Linux), and this program as root or as their user.",
      { cause: error },
    );
  }
  const isRunning = () => {
    try {
      return readlinkSync(`/proc/${readPid()}/cwd`) === dataDir;
    } catch {
      return false;
    }
  };
  return {
    address,
    kill() {
      if (isRunning()) process.kill(readPid(), "SIGKILL");
    },
    async revive() {
      for (const until = performance.now() + startLimitMs; !(await accepts(own)); await sleep(100)) {
        // The server processes of a killed postmaster may not have ended, and it does not start before.
        if (!isRunning()) launch(start, dataDir);
        if (performance.now() > until) throw new Error(`The server in ${dataDir} does not start again`);
      }
    },
    pause: () => pausePostgres(readPid()),
    logTail: () => (start.logFile === "" ? "" : readFileSync(start.logFile, "utf8").slice(-1000)),
  };
}

async function readDataDir(url: string): Promise<string> {
  const db = connect(url, { max: 1 });
  try {
    const [row] = await db.$client`SHOW data_directory`;
    return String(row!["data_directory"]);
  } finally {
    await db.close();
  }
}

function readStart(pid: number, dataDir: string): Start {
  const proc = `/proc/${pid}`;
  if (readlinkSync(`${proc}/cwd`) !== dataDir) throw new Error(`process ${pid} is not its postmaster`);
  const list = (name: string) => readFileSync(`${proc}/${name}`, "utf8").split("\0").filter(Boolean);
  const variables = list("environ").map((text) => text.split(/=(.*)/s).slice(0, 2) as [string, string]);
  const log = readlinkSync(`${proc}/fd/2`);
  return {
    program: readlinkSync(`${proc}/exe`),
    args: list("cmdline").slice(1),
    env: Object.fromEntries(variables),
    folder: statSync(dataDir),
    logFile: statSync(`${proc}/fd/2`).isFile() ? log : "",
  };
}

function launch({ program, args, env, folder, logFile }: Start, cwd: string): void {
  const log = logFile === "" ? "ignore" : openSync(logFile, "a");
  // In its own session, so that Ctrl-C in the terminal does not reach it. PostgreSQL refuses to run as root.
  const account = process.getuid?.() === 0 ? { uid: folder.uid, gid: folder.gid } : {};
  const stdio = ["ignore", log, log] as const;
  spawn(program, args, { cwd, env, stdio: [...stdio], detached: true, ...account }).unref();
  if (log !== "ignore") closeSync(log);
}

async function accepts(url: string): Promise<boolean> {
  const db = connect(url, { max: 1, applicationName: "faults" });
  try {
    await db.$client`SELECT 1`;
    return true;
  } catch {
    return false;
  } finally {
    await db.close(0);
  }
}
