import type { Database } from "@purser/db";
import { and, eq, gt, inArray, lt, sql } from "drizzle-orm";
import { runnerJobs } from "./table.ts";

/** How often a job runs again without a pause. After that, the job itself may be what ends its processes. */
const retriesWithoutPause = 3;

/**
 * Ends the pause of the jobs whose process has died, and returns their queues. pg-boss lets them wait as after a failure,
 * but the pause is for a mail server or provider that is down. These jobs have already waited for their heartbeat to
 * expire.
 */
export async function resumeInterruptedJobs(db: Database, queues: readonly string[]): Promise<Set<string>> {
  const isInterrupted = and(
    inArray(runnerJobs.name, queues),
    // As constants, these allow for the index of the jobs that wait. Others stay in the table for a day.
    sql`${runnerJobs.state} = 'retry' AND NOT blocked`,
    gt(runnerJobs.startAfter, sql`now()`),
    lt(runnerJobs.retryCount, retriesWithoutPause),
    eq(sql`${runnerJobs.output} #>> '{value,message}'`, "job heartbeat timeout"),
  );
  const resumed = await db
    .update(runnerJobs)
    .set({ startAfter: sql`now()` })
    .where(isInterrupted)
    .returning({ name: runnerJobs.name });
  return new Set(resumed.map(({ name }) => name));
}
