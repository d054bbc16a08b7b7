import { setTimeout as sleep } from "node:timers/promises";
import { errorText } from "@purser/core";
import { PgBoss } from "pg-boss";
import type { Platform } from "../context.ts";
import { sweepMs } from "../leases.ts";
import { withTimeout } from "../timeout.ts";
import { resumeInterruptedJobs } from "./interrupted.ts";
import { runnerUrl } from "./pg-boss.ts";
import type { HandledJob } from "./registry.ts";
import type { JobPlatform } from "./run.ts";
import { JobSlots } from "./slots.ts";
import { watchedSocket } from "./watched-socket.ts";

/** The jobs of one process. */
export interface Worker {
  /**
   * Takes no more jobs, waits for the running ones, and closes its connections, all within this time (default 8 seconds).
   * Jobs that still run at its end run again in another worker.
   */
  stop(timeoutMs?: number): Promise<void>;
}

/** Releases what dead processes have claimed. Runs every few seconds in every worker. */
export type Sweep = () => Promise<void>;

interface WorkerOptions {
  sweeps?: readonly Sweep[];
  /** See `ConnectOptions` of `@purser/db`. Default: connections are given up by their time limits alone. */
  lostBefore?: () => number;
}

/** The limits of the statements of pg-boss itself, on the server and, a little later, here. */
const statementTimeoutMs = 10_000;
const responseTimeoutMs = 12_000;
/** How long closing the connections may take. The other side may be silent. */
const closeTimeoutMs = 500;

/**
 * Runs jobs until it is stopped. Any number of workers may run on one database, inside servers or as separate processes.
 * Each worker opens at most three connections: two for work and one for LISTEN.
 */
export async function startWorker(
  platform: JobPlatform,
  handlers: readonly HandledJob[],
  { lostBefore = () => 0, sweeps = [] }: WorkerOptions = {},
): Promise<Worker> {
  const { directDatabaseUrl, databaseUrl } = platform.settings;
  // PgBouncer in transaction mode accepts LISTEN and drops it.
  const url = directDatabaseUrl ?? databaseUrl;
  if (url === null) throw new Error("The worker needs a database address (DATABASE_URL)");
  const boss = new PgBoss({
    connectionString: runnerUrl(url),
    application_name: "purser worker",
    max: 2,
    ...driverOptions(lostBefore),
    useListenNotify: true,
    notifyHeartbeatIntervalMs: 5000,
    notifyHeartbeatTimeoutMs: 2000,
    flowIntervalSeconds: 3600,
    cronWorkerIntervalSeconds: 30,
    // Runs the jobs of dead processes again. The second interval is shared by all workers.
    superviseIntervalSeconds: sweepMs / 1000,
    monitorIntervalSeconds: sweepMs / 1000 - 1,
  });
  const slots = handlers.map((handled) => new JobSlots(boss, platform, handled));
  const outages = new Outages();
  boss.on("error", (error) => {
    if (outages.shouldLog()) platform.logger.warn({ reason: errorText(error) }, "The job runner failed");
    // pg-boss names the worker that failed, but its types do not.
    if ("worker" in error) for (const ofKind of slots) void ofKind.storeResult(String(error.worker));
  });
  boss.on("warning", ({ message }) => platform.logger.warn({ reason: message }, "Warning of the job runner"));
  await boss.start();
  for (const ofKind of slots) await ofKind.open();
  const resume: Sweep = async () => {
    const queues = await resumeInterruptedJobs(
      platform.db,
      slots.map(({ name }) => name),
    );
    for (const ofKind of slots) if (queues.has(ofKind.name)) ofKind.wake();
  };
  const sweeper = startSweeps(platform, [resume, ...sweeps]);
  return {
    async stop(timeoutMs = 8000) {
      sweeper.abort();
      await stop(boss, slots, timeoutMs);
    },
  };
}

/** Runs all sweeps, one after another, until the signal. One that fails is tried again the next time. */
function startSweeps({ logger }: Pick<Platform, "logger">, sweeps: readonly Sweep[]): AbortController {
  const end = new AbortController();
  const { signal } = end;
  const run = async () => {
    for (;;) {
      await sleep(sweepMs, undefined, { signal, ref: false });
      for (const sweep of sweeps)
        await sweep().catch((error: unknown) =>
          logger.warn({ reason: errorText(error) }, "The claims of dead processes could not be released"),
        );
    }
  };
  run().catch(() => undefined);
  return end;
}

/** pg-boss passes these to its driver, but its types omit most of them. */
const driverOptions = (lostBefore: () => number) => ({
  statement_timeout: statementTimeoutMs,
  query_timeout: responseTimeoutMs,
  keepAlive: true,
  stream: () => watchedSocket(lostBefore),
});

async function stop(boss: PgBoss, slots: readonly JobSlots[], timeoutMs: number): Promise<void> {
  // In a silence, pg-boss waits for the response to each fetch of jobs, so this takes all of its time.
  const waitMs = Math.max(0, timeoutMs - closeTimeoutMs);
  await withTimeout(Promise.all(slots.map((ofKind) => ofKind.stop())), waitMs);
  // The wait is over here. pg-boss's own graceful stop polls only twice a second.
  await withTimeout(boss.stop({ graceful: false }), closeTimeoutMs);
}

/** Every queue reports the same outage every second. One log line per ten seconds is enough. */
class Outages {
  #quietUntil = 0;

  shouldLog(): boolean {
    const now = performance.now();
    if (now < this.#quietUntil) return false;
    this.#quietUntil = now + 10_000;
    return true;
  }
}
