import { errorText } from "@purser/core";
import type { JobWithMetadata } from "pg-boss";
import type { Platform } from "../context.ts";
import { platformMetrics } from "../platform-metrics.ts";
import { unseal } from "../secrets.ts";
import { PermanentFailure, sealedFor } from "./definition.ts";
import type { HandledJob } from "./registry.ts";

/** A job as pg-boss stores it: its data sealed, or none. */
export type StoredJob = JobWithMetadata<{ sealed: string } | null>;

/** How an attempt ended. A failed job is tried again while it has attempts left; a dead one is not. */
export type JobAttemptResult = { status: "completed" } | { status: "failed" | "dead"; reason: string };

/** Runs one attempt of one job. It never throws: an error is how the attempt ended. */
export async function runJobAttempt<Payload>(
  platform: Pick<Platform, "settings" | "logger" | "meter">,
  { definition: { name }, handle }: HandledJob<Payload>,
  job: StoredJob,
): Promise<JobAttemptResult> {
  const measured = platform.meter.time(platformMetrics.jobDuration);
  const facts = { id: job.id, attempt: job.retryCount + 1, last: job.retryCount >= job.retryLimit };
  try {
    await handle(open(platform, name, job) as Payload, facts);
    measured({ job_name: name, outcome: "completed" });
    return { status: "completed" };
  } catch (error) {
    const reason = errorText(error);
    const status = error instanceof PermanentFailure || facts.last ? "dead" : "failed";
    measured({ job_name: name, outcome: status });
    const log = { job: name, jobId: job.id, attempt: facts.attempt, reason };
    if (status === "dead") platform.logger.error(log, "A job is dead; an operator can replay it");
    else platform.logger.warn(log, "A job failed and will run again");
    return { status, reason };
  }
}

function open(platform: Pick<Platform, "settings">, name: string, job: StoredJob): unknown {
  // pg-boss itself creates a scheduled job, without a payload.
  if (job.data === null) return null;
  return JSON.parse(unseal(platform.settings.encryptionKeys, job.data.sealed, sealedFor(name, job.id)));
}
