import type { Platform } from "../../context.ts";
import { type Chore, keepHouse } from "../housekeeping.ts";
import { type WebhookReceiver, applyWebhook } from "../inbox.ts";
import type { JobHandlers } from "../jobs.ts";
import type { MailPort } from "../mail.ts";

/** What jobs reach beside the platform. */
export interface JobPorts {
  mail: MailPort;
  receivers: readonly WebhookReceiver[];
  chores: readonly Chore[];
}

/** Who does which job. An area adds its rows here. */
export function jobHandlers(platform: Platform, { mail, receivers, chores }: JobPorts): JobHandlers {
  return {
    "mail.send": (data, job) => mail.send(data, job.id),
    "webhooks.apply": (key, job) => applyWebhook(platform, receivers, key, job),
    "housekeeping.purge": () => keepHouse(platform, chores),
  };
}
