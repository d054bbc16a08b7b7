import type { Executor } from "@purser/db";
import { sql } from "drizzle-orm";
import { isOurJob, isWaiting, runnerJobs } from "./table.ts";

/**
 * Counts the jobs that are not done. Completed ones stay in the table for a day, and no index leads past them to those that run or
 * are dead. So those are as a worker last counted them, a few seconds ago.
 */
export function countJobs(db: Executor): Promise<{ job_name: string; state: string; value: number }[]> {
  return db.execute(sql`
    SELECT name AS job_name, CASE state WHEN 'created' THEN 'waiting' ELSE 'retrying' END AS state, count(*)::int AS value
    FROM ${runnerJobs} WHERE ${isWaiting} AND ${isOurJob} GROUP BY 1, 2
    UNION ALL
    SELECT queue.name, counted.state, counted.value
    FROM pgboss.queue, LATERAL (VALUES ('running', active_count), ('dead', failed_count)) AS counted (state, value)
    WHERE counted.value > 0 AND NOT starts_with(queue.name, '__')`);
}

/** Returns for each kind of job how many seconds the oldest due one has been waiting. */
export function readJobDelays(db: Executor): Promise<{ job_name: string; value: number }[]> {
  return db.execute(sql`
    SELECT name AS job_name, extract(epoch FROM now() - min(start_after))::float8 AS value
    FROM ${runnerJobs} WHERE ${isWaiting} AND start_after <= now() AND ${isOurJob} GROUP BY 1`);
}

/**
 * Returns how many seconds ago a worker last created the jobs that their schedules want, which one of the workers does once a
 * minute. If none has ever run, it counts from the migration that wrote the schedules.
 */
export function readScheduleDelay(db: Executor): Promise<{ value: number }[]> {
  return db.execute(sql`
    SELECT extract(epoch FROM now() - coalesce(cron_on, (SELECT min(created_on) FROM pgboss.schedule)))::float8 AS value
    FROM pgboss.version`);
}
