import type { Platform } from "../context.ts";
import { type HousekeepingTask, runHousekeeping } from "../housekeeping.ts";
import { applyWebhook } from "../inbox/apply.ts";
import type { WebhookKey, WebhookReceiver } from "../inbox/receiver.ts";
import { deliverSandboxEvent } from "../inbox/sandbox.ts";
import type { MailPort } from "../mail/port.ts";
import type { JobHandler } from "./definition.ts";
import { platformJobs, webhookJobs } from "./platform-jobs.ts";
import { type HandledJob, handleJobs } from "./registry.ts";

export interface PlatformJobPorts {
  mail: MailPort;
  receivers: readonly WebhookReceiver[];
  /** The areas' part of the hourly housekeeping. */
  tasks: readonly HousekeepingTask[];
}

/** The handlers of the platform's own jobs. */
export function platformHandlers(
  platform: Platform,
  { mail, receivers, tasks }: PlatformJobPorts,
): HandledJob[] {
  const apply: JobHandler<WebhookKey> = (key, job) => applyWebhook(platform, receivers, key, job);
  const own = handleJobs(platformJobs, {
    sendMail: (message, { id }) => mail.send(message, id),
    applyWebhook: apply,
    deliverSandboxEvent: async (delivery) => void (await deliverSandboxEvent(platform, receivers, delivery)),
    purge: () => runHousekeeping(platform, tasks),
  });
  return [...own, ...Object.values(webhookJobs).map((definition) => ({ definition, handle: apply }))];
}
