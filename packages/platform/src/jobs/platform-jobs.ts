import type { SandboxDelivery, WebhookKey } from "../inbox/receiver.ts";
import type { Mail } from "../mail/port.ts";
import { defineJob } from "./definition.ts";

/** The platform's own jobs. */
export const platformJobs = {
  /** Retries over about eight hours, to outlive an outage of the mail server. */
  sendMail: defineJob<Mail>("mail.send", {
    retries: 12,
    pauseSeconds: 10,
    longestPauseSeconds: 2 * 60 * 60,
  }),
  applyWebhook: defineJob<WebhookKey>("webhooks.apply", {
    retries: 12,
    pauseSeconds: 3,
    longestPauseSeconds: 60 * 60,
  }),
  deliverSandboxEvent: defineJob<SandboxDelivery>("sandbox.deliver", {
    retries: 12,
    pauseSeconds: 3,
    longestPauseSeconds: 60 * 60,
  }),
  purge: defineJob<null>("housekeeping.purge", {
    retries: 2,
    pauseSeconds: 60,
    longestPauseSeconds: 600,
    cron: "17 * * * *",
  }),
};
