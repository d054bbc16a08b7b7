import { errorText } from "@purser/core";
import { awaitPreparedCommits } from "@purser/db";
import type { JobWithMetadata } from "pg-boss";
import type { Platform } from "../context.ts";
import { platformMetrics } from "../platform-metrics.ts";
import { unseal } from "../secrets.ts";
import { PermanentFailure, sealedFor } from "./definition.ts";
import type { HandledJob } from "./registry.ts";

/** A job as pg-boss stores it: its data sealed, or none. */
export type StoredJob = JobWithMetadata<{ sealed: string } | null>;

export type JobPlatform = Pick<Platform, "db" | "settings" | "logger" | "meter">;

/** How an attempt ended. A failed job is tried again while it has attempts left; a dead one is not. */
export type JobAttemptResult = { status: "completed" } | { status: "failed" | "dead"; reason: string };

/** Runs one attempt of one job. It never throws: an error becomes the result. */
export async function runJobAttempt<Payload>(
  platform: JobPlatform,
  { definition: { name }, handle }: HandledJob<Payload>,
  job: StoredJob,
): Promise<JobAttemptResult> {
  const stopTimer = platform.meter.time(platformMetrics.jobDuration);
  const info = { id: job.id, attempt: job.retryCount + 1, last: job.retryCount >= job.retryLimit };
  try {
    await awaitPreparedCommits(platform.db);
    await handle(openPayload(platform, name, job) as Payload, info);
    stopTimer({ job_name: name, outcome: "completed" });
    return { status: "completed" };
  } catch (error) {
    const reason = errorText(error);
    const status = error instanceof PermanentFailure || info.last ? "dead" : "failed";
    stopTimer({ job_name: name, outcome: status });
    const log = { job: name, jobId: job.id, attempt: info.attempt, reason };
    if (status === "dead") platform.logger.error(log, "A job is dead; an operator can replay it");
    else platform.logger.warn(log, "A job failed and will run again");
    return { status, reason };
  }
}

function openPayload(platform: Pick<Platform, "settings">, name: string, job: StoredJob): unknown {
  // pg-boss itself creates a scheduled job, without a payload.
  if (job.data === null) return null;
  return JSON.parse(unseal(platform.settings.encryptionKeys, job.data.sealed, sealedFor(name, job.id)));
}
