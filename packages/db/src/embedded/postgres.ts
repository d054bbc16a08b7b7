import { existsSync } from "node:fs";
import { mkdir, readFile, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { chooseAccount } from "./account.ts";
import { findBinaries } from "./binaries.ts";
import { ensureCluster } from "./cluster.ts";
import {
  type Postmaster,
  databaseUrl,
  choosePort,
  findRunning,
  launchPostmaster,
  stopPostmaster,
} from "./postmaster.ts";

export interface EmbeddedPostgresOptions {
  /** The folder for the cluster, its password, port and log. Created if missing. */
  readonly dataDir: string;
  /** Server settings (postgresql.conf) that override the defaults. `fsync: "off"` also speeds up initdb. */
  readonly settings?: Readonly<Record<string, string | number>>;
  /** Called with a sentence about each slow step. PostgreSQL's own log is `<dataDir>/postgres.log`. */
  readonly onLog?: (message: string) => void;
}

export interface EmbeddedPostgres {
  /** The URL of the database `postgres`, as superuser, with the password. */
  readonly url: string;
  readonly port: number;
  /** Process id of the server. */
  readonly pid: number;
  /** Whether the server was left running by another process. It then still has its earlier settings. */
  readonly adopted: boolean;
  /** Fast shutdown, immediate after 10 s. Resolves when the server has ended. Idempotent. */
  stop(): Promise<void>;
}

const attempts = 4;

/**
 * Transient failures: the port was taken since it was found free, another start won the race, or the server processes
 * of a killed postmaster have not exited yet.
 */
const transient =
  /could not (bind|create any TCP\/IP sockets)|lock file .* already exists|pre-existing shared memory/;

/**
 * Starts the installed PostgreSQL 18 on a folder, or adopts the server that still runs there.
 * Throws an error that names `DATABASE_URL` on a platform without binaries, and an error with the end of PostgreSQL's
 * log if the server does not start.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { settings = {}, onLog = () => undefined } = options;
  const binaries = findBinaries();
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 });
  const dataDir = await realpath(options.dataDir);
  const cluster = join(dataDir, "cluster");
  const account = await chooseAccount(binaries, cluster);
  if (!existsSync(cluster)) onLog(`Creating a PostgreSQL cluster in ${dataDir}.`);
  const password = await ensureCluster(binaries, account, cluster, {
    dataDir,
    durable: settings["fsync"] !== "off",
  });
  for (let attempt = 1; ; attempt++) {
    const running = await findRunning(cluster, password);
    if (running !== undefined) {
      onLog(`PostgreSQL still runs on ${dataDir} (process ${running.pid}); adopting it.`);
      return handle(running, cluster, password, true);
    }
    const port = await choosePort(await rememberedPort(dataDir));
    try {
      const logFile = join(dataDir, "postgres.log");
      const started = await launchPostmaster(binaries, account, cluster, { port, logFile, settings });
      await rememberPort(dataDir, port);
      onLog(`PostgreSQL runs on port ${port} (process ${started.pid}).`);
      return handle(started, cluster, password, false);
    } catch (error) {
      if (attempt === attempts || !(error instanceof Error) || !transient.test(error.message)) throw error;
      await sleep(100 * 2 ** attempt);
    }
  }
}

function handle(
  postmaster: Postmaster,
  cluster: string,
  password: string,
  adopted: boolean,
): EmbeddedPostgres {
  const { pid, port } = postmaster;
  let stopping: Promise<void> | undefined;
  return {
    url: databaseUrl(port, password),
    port,
    pid,
    adopted,
    stop: () => (stopping ??= stopPostmaster(pid, cluster)),
  };
}

async function rememberedPort(dataDir: string): Promise<number | undefined> {
  const port = Number(await readFile(join(dataDir, "port"), "utf8").catch(() => ""));
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
}

async function rememberPort(dataDir: string, port: number): Promise<void> {
  await writeFile(join(dataDir, "port"), String(port), { mode: 0o600 });
}
