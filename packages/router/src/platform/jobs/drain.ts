import { eq } from "drizzle-orm";
import type { PgBoss } from "pg-boss";
import type { Platform } from "../context.ts";
import { type JobHandlers, type JobName, jobNames } from "../jobs.ts";
import { jobRunner } from "../outbox/runner.ts";
import { runnerJobs } from "../outbox/table.ts";
import { type StoredJob, attempt } from "./run.ts";

interface DrainOptions {
  /** Also runs what waits for its next attempt or for a later time, without waiting. Default false. */
  ahead?: boolean;
}

/**
 * Runs what is due, one job after the other, and what that brings about, until nothing is left; gives the number of
 * attempts. For tests and commands: it needs no worker, and afterwards nothing is under way.
 */
export async function drain(
  platform: Pick<Platform, "db" | "settings" | "logger" | "meter">,
  handlers: JobHandlers,
  { ahead = false }: DrainOptions = {},
): Promise<number> {
  const boss = jobRunner(platform.db);
  let attempts = 0;
  for (;;) {
    let ran = 0;
    for (const name of jobNames) {
      while (await runNext(boss, platform, handlers, name, ahead)) ran += 1;
    }
    if (ran === 0) return attempts;
    attempts += ran;
  }
}

async function runNext(
  boss: PgBoss,
  platform: Pick<Platform, "db" | "settings" | "logger" | "meter">,
  handlers: JobHandlers,
  name: JobName,
  ignoreStartAfter: boolean,
): Promise<boolean> {
  const [job] = await boss.fetch(name, { includeMetadata: true, ignoreStartAfter });
  if (job === undefined) return false;
  const end = await attempt(platform, handlers, name, job as StoredJob);
  if (end.status === "completed") {
    await boss.complete(name, job.id);
    return true;
  }
  if (end.status === "dead") {
    // Only a worker can end a job before its attempts are used up; here they are taken away first.
    await platform.db.update(runnerJobs).set({ retryLimit: job.retryCount }).where(eq(runnerJobs.id, job.id));
  }
  await boss.fail(name, job.id, { message: end.reason });
  return true;
}
