import { bankProviderNames, cardIssuerNames, paymentProviderNames } from "@purser/core";
import type { SandboxWebhook, WebhookArea, WebhookKey } from "../inbox/receiver.ts";
import type { Mail } from "../mail/port.ts";
import { type JobDefinition, type JobPolicy, defineJob } from "./definition.ts";

const webhookPolicy: JobPolicy = { retries: 12, pauseSeconds: 3, longestPauseSeconds: 60 * 60 };

/** The platform's own jobs. */
export const platformJobs = {
  /** Retries over about eight hours, to outlive an outage of the mail server. */
  sendMail: defineJob<Mail>("mail.send", {
    retries: 12,
    pauseSeconds: 10,
    longestPauseSeconds: 2 * 60 * 60,
  }),
  /** The events of providers outside of `webhookJobs`, and those that an earlier version enqueued. */
  applyWebhook: defineJob<WebhookKey>("webhooks.apply", webhookPolicy),
  deliverSandboxEvent: defineJob<SandboxWebhook>("sandbox.deliver", {
    retries: 12,
    pauseSeconds: 3,
    longestPauseSeconds: 60 * 60,
  }),
  purge: defineJob<null>("housekeeping.purge", {
    // Each process that ends in the middle of a long run, as in an upgrade, takes one.
    retries: 10,
    pauseSeconds: 5,
    longestPauseSeconds: 600,
    // After a retention was shortened, there are hundreds of millions of rows to delete. The next run begins after an hour.
    timeoutSeconds: 55 * 60,
    cron: "17 * * * *",
  }),
};

const providers: Record<WebhookArea, readonly string[]> = {
  banking: bankProviderNames,
  cards: cardIssuerNames,
  billing: paymentProviderNames,
};

/** Every provider whose webhook events this version can receive. */
export const webhookProviders = Object.entries(providers).flatMap(([area, names]) =>
  names.map((provider) => ({ area, provider })),
);

/**
 * The jobs that apply the webhook events of each provider, by area and provider. A worker runs the queues side by side,
 * so a provider that hangs delays only its own events.
 */
export const webhookJobs: Readonly<Record<string, JobDefinition<WebhookKey>>> = Object.fromEntries(
  webhookProviders.map(({ area, provider }) => {
    const name = `${area}.${provider}`;
    return [name, defineJob<WebhookKey>(`webhooks.apply.${name}`, webhookPolicy)];
  }),
);

/** Returns the job that applies an event. */
export function webhookJobOf({ area, provider }: WebhookKey): JobDefinition<WebhookKey> {
  return webhookJobs[`${area}.${provider}`] ?? platformJobs.applyWebhook;
}
