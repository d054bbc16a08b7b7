import type { Database } from "@purser/db";
import { and, eq, inArray, sql } from "drizzle-orm";
import type { PgBoss } from "pg-boss";
import type { Platform } from "../context.ts";
import { jobRunner } from "./pg-boss.ts";
import type { HandledJob } from "./registry.ts";
import { type JobPlatform, type StoredJob, runJobAttempt } from "./run.ts";
import { runnerJobs } from "./table.ts";

interface DrainOptions {
  /** Also runs the jobs that are due later, without waiting. Default false. */
  ahead?: boolean;
}

/**
 * Runs the due jobs of these handlers one after the other, and the jobs that they enqueue, until none is left. Returns
 * the number of attempts. For tests and commands: it needs no worker, and no job runs after it returns.
 */
export async function drainJobs(
  platform: JobPlatform & Pick<Platform, "outbox">,
  handlers: readonly HandledJob[],
  { ahead = false }: DrainOptions = {},
): Promise<number> {
  const boss = runnerOf(platform.db);
  let attempts = 0;
  for (;;) {
    let ran = 0;
    await platform.outbox.relay();
    const waiting = await listWaitingQueues(platform.db, ahead);
    for (const handled of handlers) {
      if (!waiting.has(handled.definition.name)) continue;
      while (await runNext(boss, platform, handled, ahead)) ran += 1;
    }
    if (ran === 0) return attempts;
    attempts += ran;
  }
}

const runners = new WeakMap<Database, PgBoss>();

/** A runner keeps what it has looked up of its queues. */
function runnerOf(db: Database): PgBoss {
  const runner = runners.get(db) ?? jobRunner(db);
  runners.set(db, runner);
  return runner;
}

/** The queues that have a job to run. Most have none, and to fetch from each would take two statements a queue. */
async function listWaitingQueues(db: Database, ignoreStartAfter: boolean): Promise<Set<string>> {
  const { name, state, startAfter } = runnerJobs;
  const isDue = ignoreStartAfter ? undefined : sql`${startAfter} <= now()`;
  const rows = await db
    .selectDistinct({ name })
    .from(runnerJobs)
    .where(and(inArray(state, ["created", "retry"]), isDue));
  return new Set(rows.map((row) => row.name));
}

async function runNext(
  boss: PgBoss,
  platform: JobPlatform,
  handled: HandledJob,
  ignoreStartAfter: boolean,
): Promise<boolean> {
  const { name } = handled.definition;
  const [job] = await boss.fetch(name, { includeMetadata: true, ignoreStartAfter });
  if (job === undefined) return false;
  const result = await runJobAttempt(platform, handled, job as StoredJob);
  if (result.status === "completed") {
    await boss.complete(name, job.id);
    return true;
  }
  if (result.status === "dead") {
    // Outside a worker, pg-boss fails a job permanently only when it has no attempts left.
    const isJob = and(eq(runnerJobs.name, name), eq(runnerJobs.id, job.id));
    await platform.db.update(runnerJobs).set({ retryLimit: job.retryCount }).where(isJob);
  }
  await boss.fail(name, job.id, { message: result.reason });
  return true;
}
