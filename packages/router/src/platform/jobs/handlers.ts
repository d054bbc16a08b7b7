import type { Platform } from "../context.ts";
import { type Chore, keepHouse } from "../housekeeping.ts";
import { type WebhookReceiver, applyWebhook } from "../inbox.ts";
import { deliverSandboxEvent } from "../inbox/sandbox.ts";
import type { JobHandlers, JobName } from "../jobs.ts";
import type { MailPort } from "../mail.ts";

/** What jobs reach beside the platform. */
export interface JobPorts {
  mail: MailPort;
  receivers: readonly WebhookReceiver[];
  chores: readonly Chore[];
  /** What the areas do themselves. */
  areas: AreaJobs;
}

/** The jobs of areas; `open.ts` brings their handlers together. */
export type AreaJobs = Pick<JobHandlers, Extract<JobName, `${"banking" | "cards" | "billing"}.${string}`>>;

/** Who does which job. */
export function jobHandlers(platform: Platform, { mail, receivers, chores, areas }: JobPorts): JobHandlers {
  return {
    ...areas,
    "mail.send": (data, job) => mail.send(data, job.id),
    "webhooks.apply": (key, job) => applyWebhook(platform, receivers, key, job),
    "sandbox.deliver": async (delivery) => void (await deliverSandboxEvent(platform, receivers, delivery)),
    "housekeeping.purge": () => keepHouse(platform, chores),
  };
}
