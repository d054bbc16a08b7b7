import type { JobWithMetadata } from "pg-boss";
import type { Platform } from "../context.ts";
import { type JobHandlers, type JobName, type Jobs, PermanentFailure, sealedFor } from "../jobs.ts";
import { unseal } from "../secrets.ts";
import { errorText } from "@purser/core";

/** A job as pg-boss stores it: its data sealed, or none. */
export type StoredJob = JobWithMetadata<{ sealed: string } | null>;

/** How an attempt ended. A failed job is tried again while it has attempts left; a dead one is not. */
export type Attempt = { status: "completed" } | { status: "failed" | "dead"; reason: string };

/** Runs one attempt of one job. It never throws: an error is how the attempt ended. */
export async function attempt<Name extends JobName>(
  platform: Pick<Platform, "settings" | "logger" | "meter">,
  handlers: Pick<JobHandlers, Name>,
  name: Name,
  job: StoredJob,
): Promise<Attempt> {
  const measured = platform.meter.time("purser_job_duration_seconds");
  const facts = { id: job.id, attempt: job.retryCount + 1, last: job.retryCount >= job.retryLimit };
  try {
    await handlers[name](open(platform, name, job), facts);
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

function open<Name extends JobName>(
  platform: Pick<Platform, "settings">,
  name: Name,
  job: StoredJob,
): Jobs[Name] {
  // What runs on a schedule was made by pg-boss itself, and carries nothing.
  if (job.data === null) return null as Jobs[Name];
  return JSON.parse(unseal(platform.settings.encryptionKeys, job.data.sealed, sealedFor(name, job.id)));
}
