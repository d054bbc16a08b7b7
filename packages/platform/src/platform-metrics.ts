import { countInbox } from "./inbox/inspect.ts";
import { webhookProviders } from "./jobs/platform-jobs.ts";
import { countJobs, readJobDelays, readScheduleDelay } from "./jobs/statistics.ts";
import { defineCounter, defineGauge, defineHistogram } from "./metrics.ts";

/** The platform's own metrics. */
export const platformMetrics = {
  webhooksReceived: defineCounter("purser_webhooks_received_total", {
    help: "Webhook requests by outcome: accepted, duplicate, answered or refused",
    labels: ["area", "provider", "outcome"],
    initialSeries: webhookProviders.flatMap((sender) =>
      ["accepted", "duplicate", "answered", "refused"].map((outcome) => ({ ...sender, outcome })),
    ),
  }),
  webhooksApplied: defineCounter("purser_webhooks_applied_total", {
    help: "Attempts to apply a stored webhook event: applied, ignored, failed or dead",
    labels: ["area", "provider", "outcome"],
  }),
  idempotentReplays: defineCounter("purser_idempotent_replays_total", {
    help: "Mutations answered with the stored output of their idempotency key",
    labels: ["procedure"],
  }),
  replicaFallbacks: defineCounter("purser_replica_fallbacks_total", {
    help: "Reads that the primary served because the replica was unreachable, lagging, unusable or in conflict",
    labels: ["reason"],
  }),
  limitedRequests: defineCounter("purser_limited_requests_total", {
    help: "Requests refused by a limit: of a caller, of sign-in attempts, or of mails",
    labels: ["limit"],
  }),
  jobDuration: defineHistogram("purser_job_duration_seconds", {
    help: "Attempts at jobs by outcome: completed, failed or dead",
    labels: ["job_name", "outcome"],
    buckets: [0.005, 0.025, 0.1, 0.5, 1, 5, 15, 60, 300],
  }),
  jobs: defineGauge("purser_jobs", {
    help: "Jobs of the outbox that are not done: waiting, running, retrying or dead",
    labels: ["job_name", "state"],
    read: countJobs,
  }),
  jobDelay: defineGauge("purser_job_delay_seconds", {
    help: "How long the oldest due job has been waiting for a worker",
    labels: ["job_name"],
    read: readJobDelays,
  }),
  // Without a worker, scheduled jobs do not exist, so none of them is delayed.
  scheduleDelay: defineGauge("purser_schedule_delay_seconds", {
    help: "How long ago a worker last created the jobs of the schedules",
    labels: [],
    read: readScheduleDelay,
  }),
  webhooks: defineGauge("purser_webhooks", {
    help: "Webhook events that are not applied: pending or dead",
    labels: ["area", "provider", "status"],
    read: countInbox,
  }),
};
