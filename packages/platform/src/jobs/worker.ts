import { setTimeout as sleep } from "node:timers/promises";
import { errorText } from "@purser/core";
import { PgBoss } from "pg-boss";
import type { Platform } from "../context.ts";
import { runnerUrl } from "./pg-boss.ts";
import type { HandledJob } from "./registry.ts";
import { JobSlots } from "./slots.ts";

export interface Worker {
  /**
   * Takes no more jobs, waits up to this long for the running ones (default 8 seconds), and closes its connections.
   * Jobs that still run after that run again in another worker.
   */
  stop(timeoutMs?: number): Promise<void>;
}

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
  const slots = handlers.map((handled) => new JobSlots(boss, platform, handled));
  for (const ofKind of slots) await ofKind.open();
  return { stop: (timeoutMs = 8000) => stop(boss, slots, timeoutMs) };
}

async function stop(boss: PgBoss, slots: readonly JobSlots[], timeoutMs: number): Promise<void> {
  const running = Promise.all(slots.map((ofKind) => ofKind.stop()));
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
