import { setTimeout as sleep } from "node:timers/promises";
import { errorText } from "@purser/core";
import { PgBoss } from "pg-boss";
import type { Platform } from "../context.ts";
import { runnerUrl } from "./pg-boss.ts";
import type { HandledJob } from "./registry.ts";
import { type StoredJob, runJobAttempt } from "./run.ts";

export interface Worker {
  /**
   * Takes no more jobs, lets the running ones end for up to this long (default 8 seconds), and closes its
   * connections. What still ran then, runs again elsewhere.
   */
  stop(timeoutMs?: number): Promise<void>;
}

/** How many jobs of one kind run at the same time in this process. */
const batchSize = 10;

/**
 * Runs jobs until it is stopped. Any number of workers may run on one database, inside servers or beside them.
 * Each holds at most three connections of its own: two to work, one to be told of new jobs (LISTEN).
 */
export async function startWorker(
  platform: Pick<Platform, "settings" | "logger" | "meter">,
  handlers: readonly HandledJob[],
): Promise<Worker> {
  const { directDatabaseUrl, databaseUrl } = platform.settings;
  // A PgBouncer in transaction mode takes LISTEN and forgets it.
  const url = directDatabaseUrl ?? databaseUrl;
  if (url === null) throw new Error("The worker needs the address of a database");
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
    if (outages.shouldLog())
      platform.logger.warn({ reason: errorText(error) }, "The job runner met an error");
  });
  boss.on("warning", ({ message }) => platform.logger.warn({ reason: message }, "The job runner warns"));
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
    // One notification may stand for many jobs: while batches come back full, there is more.
    burstWhenBatchFull: true,
    // Where LISTEN works, polling only finds the jobs whose pause is over.
    pollingIntervalSeconds: 1,
    notifyPollingIntervalSeconds: 10,
    includeMetadata: true,
    perJobResults: true,
  } as const;
  await boss.work(handled.definition.name, options, (jobs: StoredJob[]) =>
    Promise.all(
      jobs.map(async (job) => {
        const end = await runJobAttempt(platform, handled, job);
        if (end.status === "completed") return { id: job.id, status: "completed" as const };
        const status = end.status === "dead" ? ("deadletter" as const) : ("failed" as const);
        return { id: job.id, status, output: { message: end.reason } };
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
  // Waiting is done; pg-boss's own graceful stop looks only twice a second.
  await boss.stop({ graceful: false });
}

/** Every queue meets the same outage, every second; saying so every ten seconds is enough. */
class Outages {
  #quietUntil = 0;

  shouldLog(): boolean {
    const now = performance.now();
    if (now < this.#quietUntil) return false;
    this.#quietUntil = now + 10_000;
    return true;
  }
}
