import { bankingHandlers, bankingJobs, bankingTasks } from "@purser/banking";
import { billingHandlers, billingJobs, sandboxBillingJobs } from "@purser/billing";
import { cardHandlers, cardJobs, cardTasks } from "@purser/cards";
import { eventTasks } from "@purser/events";
import { type Auth, identityJobs } from "@purser/identity";
import type { HousekeepingTask } from "@purser/platform";
import type { WebhookReceiver } from "@purser/platform/inbox";
import {
  type HandledJob,
  type JobDefinition,
  handleJobs,
  platformHandlers,
  platformJobs,
  registerHandlers,
  webhookJobs,
} from "@purser/platform/jobs";
import type { MailPort } from "@purser/platform/mail";
import type { ServicePlatform } from "@purser/router";
import { purgeSandboxPages, tickSandboxBilling } from "./sandboxes.ts";

/** All jobs of the service. The migration creates a queue for each. */
export const registeredJobs: readonly JobDefinition[] = [
  platformJobs,
  webhookJobs,
  identityJobs,
  bankingJobs,
  cardJobs,
  billingJobs,
  sandboxBillingJobs,
].flatMap((jobs) => Object.values<JobDefinition>(jobs));

interface JobPorts {
  auth: Pick<Auth, "sendAccountMail">;
  mail: MailPort;
  receivers: readonly WebhookReceiver[];
  /** Hourly tasks in addition to those of the areas and sandboxes. */
  tasks: readonly HousekeepingTask[];
}

/** Returns the handlers of all jobs. Throws if a job has none. */
export function createJobHandlers(
  platform: ServicePlatform,
  { auth, mail, receivers, tasks }: JobPorts,
): readonly HandledJob[] {
  return registerHandlers(registeredJobs, [
    ...platformHandlers(platform, {
      mail,
      receivers,
      tasks: [
        ...tasks,
        ...bankingTasks(platform),
        ...cardTasks(platform),
        ...eventTasks(platform),
        () => purgeSandboxPages(platform),
      ],
    }),
    ...handleJobs(identityJobs, { accountMail: (request) => auth.sendAccountMail(request) }),
    ...bankingHandlers(platform),
    ...cardHandlers(platform),
    ...billingHandlers(platform),
    ...handleJobs(sandboxBillingJobs, { tick: () => tickSandboxBilling(platform) }),
  ]);
}
