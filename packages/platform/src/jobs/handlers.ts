import type { Platform } from "../context.ts";
import { type HousekeepingTask, runHousekeeping } from "../housekeeping.ts";
import { applyWebhook } from "../inbox/apply.ts";
import type { WebhookReceiver } from "../inbox/receiver.ts";
import { deliverSandboxEvent } from "../inbox/sandbox.ts";
import type { MailPort } from "../mail/port.ts";
import type { JobDefinition } from "./definition.ts";
import { platformJobs } from "./platform-jobs.ts";
import { type HandledJob, handleJobs } from "./registry.ts";

interface PlatformJobPorts {
  mail: MailPort;
  receivers: readonly WebhookReceiver[];
  /** The areas' part of the hourly housekeeping. */
  tasks: readonly HousekeepingTask[];
  /** All jobs of the service, whose completed runs the housekeeping purges. */
  jobs: readonly JobDefinition[];
}

/** The handlers of the platform's own jobs. */
export function platformHandlers(
  platform: Platform,
  { mail, receivers, tasks, jobs }: PlatformJobPorts,
): HandledJob[] {
  return handleJobs(platformJobs, {
    sendMail: (message, { id }) => mail.send(message, id),
    applyWebhook: (key, job) => applyWebhook(platform, receivers, key, job),
    deliverSandboxEvent: async (delivery) => void (await deliverSandboxEvent(platform, receivers, delivery)),
    purge: () => runHousekeeping(platform, jobs, tasks),
  });
}
