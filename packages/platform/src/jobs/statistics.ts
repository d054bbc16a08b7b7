import type { Executor } from "@purser/db";
import { sql } from "drizzle-orm";
import { isOurJob, runnerJobs } from "./table.ts";

/** Counts the jobs that are not done. */
export function countJobs(db: Executor): Promise<{ job_name: string; state: string; value: number }[]> {
  return db.execute(sql`
    SELECT name AS job_name, count(*)::int AS value,
      CASE state::text WHEN 'created' THEN 'waiting' WHEN 'retry' THEN 'retrying' WHEN 'active' THEN 'running' ELSE 'dead' END AS state
    FROM ${runnerJobs} WHERE state::text <> 'completed' AND ${isOurJob} GROUP BY 1, 3`);
}

/** Returns for each kind of job how many seconds the oldest due one has been waiting. */
export function readJobDelays(db: Executor): Promise<{ job_name: string; value: number }[]> {
  return db.execute(sql`
    SELECT name AS job_name, extract(epoch FROM now() - min(start_after))::float8 AS value
    FROM ${runnerJobs} WHERE state < 'active' AND start_after <= now() AND ${isOurJob} GROUP BY 1`);
}
