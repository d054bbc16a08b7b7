import type { SealContext } from "../secrets.ts";

/** The retries of a job, and its schedule. */
export interface JobPolicy {
  /** Attempts after the first one. */
  retries: number;
  /** The first pause. It doubles with each attempt, plus a random part of up to the same length. */
  pauseSeconds: number;
  longestPauseSeconds: number;
  /** How long an attempt may take before it counts as failed. Default: five minutes. */
  timeoutSeconds?: number;
  /** When pg-boss creates the job, in UTC. A scheduled job has no payload. */
  cron?: string;
}

declare const payloadType: unique symbol;

/** One kind of background work. The type of its payload ties `enqueue` and the handler to each other. */
export interface JobDefinition<Payload = never> {
  /** The queue in the database. A new name is a new queue, and the jobs in the old queue never run. */
  readonly name: string;
  readonly policy: JobPolicy;
  readonly [payloadType]?: (payload: Payload) => void;
}

/**
 * Defines a job with a payload in plain JSON, or null for a job that runs on a schedule.
 *
 * @example
 * const sendMail = defineJob<Mail>("mail.send", { retries: 12, pauseSeconds: 10, longestPauseSeconds: 7200 });
 * await outbox.enqueue(transaction, sendMail, { to, subject, text });
 */
export function defineJob<Payload>(name: string, policy: JobPolicy): JobDefinition<Payload> {
  return { name, policy };
}

/** The policy of a scheduled job: the retries bridge a short outage of the database. */
export function onSchedule(cron: string): JobPolicy {
  return { retries: 3, pauseSeconds: 5, longestPauseSeconds: 30, cron };
}

/** What a handler gets about a job in addition to its payload. */
export interface JobInfo {
  /** The same at every attempt, so it works as an idempotency key. */
  id: string;
  /** Counts from 1. */
  attempt: number;
  /** Whether a failure of this attempt is final. */
  last: boolean;
}

/** Does the work of a job. A job may run again after it has succeeded, so the work must be idempotent. */
export type JobHandler<Payload> = (payload: Payload, job: JobInfo) => Promise<void>;

/** A handler throws this when a retry is pointless: the job is dead at once. */
export class PermanentFailure extends Error {
  override readonly name = "PermanentFailure";
}

/** The context in which a job's payload is sealed. */
export const sealedFor = (name: string, id: string): SealContext => ["job", name, id];
