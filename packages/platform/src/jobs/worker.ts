import { setTimeout as sleep } from "node:timers/promises";
import { errorText } from "@purser/core";
import { PgBoss } from "pg-boss";
import type { Platform } from "../context.ts";
import { runnerUrl } from "./pg-boss.ts";
import type { HandledJob } from "./registry.ts";
import { type StoredJob, runJobAttempt } from "./run.ts";

export interface Worker {
  /**
   * Takes no more jobs, waits up to this long for the running ones (default 8 seconds), and closes its connections.
   * Jobs that still run after that run again in another worker.
   */
  stop(timeoutMs?: number): Promise<void>;
}

/** The largest number of jobs of one kind that run at the same time in this process. */
const batchSize = 10;

/**
 * Runs jobs until it is stopped. Any number of workers may run on one database, inside servers or beside them.
 * Each worker opens at most three connections: two for work and one for LISTEN.
 */
export async function startWorker(
  platform: Pick<Platform, "settings" | "logger" | "meter">,
  handlers: readonly HandledJob[],
): Promise<Worker> {
  const { directDatabaseUrl, databaseUrl } = platform.settings;
  // PgBouncer in transaction mode accepts LISTEN and drops it.
  const url = directDatabaseUrl ?? databaseUrl;
  if (url === null) throw new Error("The worker needs a database address (DATABASE_URL)");
  const boss = new PgBoss({
    connectionString: runnerUrl(url),
    application_name: "purser worker",
    max: 2,
    useListenNotify: true,
    flowIntervalSeconds: 3600,
    cronWorkerIntervalSeconds: 30,
  });
  const outages = new Outages();
  boss.on("error", (error) => {
    if (outages.shouldLog()) platform.logger.warn({ reason: errorText(error) }, "The job runner failed");
  });
  boss.on("warning", ({ message }) => platform.logger.warn({ reason: message }, "Warning of the job runner"));
  await boss.start();
  for (const handled of handlers) await work(boss, platform, handled);
  return { stop: (timeoutMs = 8000) => stop(boss, handlers, timeoutMs) };
}

async function work(
  boss: PgBoss,
  platform: Pick<Platform, "settings" | "logger" | "meter">,
  handled: HandledJob,
): Promise<void> {
  const options = {
    batchSize,
    // One notification may stand for many jobs: a full batch means that more are due.
    burstWhenBatchFull: true,
    // With LISTEN, polling only finds jobs whose retry delay has ended.
    pollingIntervalSeconds: 1,
    notifyPollingIntervalSeconds: 10,
    includeMetadata: true,
    perJobResults: true,
  } as const;
  await boss.work(handled.definition.name, options, (jobs: StoredJob[]) =>
    Promise.all(
      jobs.map(async (job) => {
        const result = await runJobAttempt(platform, handled, job);
        if (result.status === "completed") return { id: job.id, status: "completed" as const };
        const status = result.status === "dead" ? ("deadletter" as const) : ("failed" as const);
        return { id: job.id, status, output: { message: result.reason } };
      }),
    ),
  );
}

async function stop(boss: PgBoss, handlers: readonly HandledJob[], timeoutMs: number): Promise<void> {
  const running = Promise.all(handlers.map(({ definition }) => boss.offWork(definition.name)));
  const timeout = new AbortController();
  await Promise.race([
    running,
    sleep(timeoutMs, undefined, { signal: timeout.signal }).catch(() => undefined),
  ]);
  timeout.abort();
  // The wait is over here. pg-boss's own graceful stop polls only twice a second.
  await boss.stop({ graceful: false });
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
