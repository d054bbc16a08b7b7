import { bankingHandlers, bankingJobs, bankingTasks } from "../banking/index.ts";
import { billingHandlers, billingJobs, sandboxBillingJobs } from "../billing/index.ts";
import { cardHandlers, cardJobs } from "../cards/index.ts";
import type { ServicePlatform } from "../context.ts";
import type { HousekeepingTask } from "../platform/housekeeping.ts";
import type { WebhookReceiver } from "../platform/inbox.ts";
import type { JobDefinition } from "../platform/jobs/definition.ts";
import { platformHandlers } from "../platform/jobs/handlers.ts";
import { platformJobs } from "../platform/jobs/platform-jobs.ts";
import { type HandledJob, handleJobs, registerHandlers } from "../platform/jobs/registry.ts";
import type { MailPort } from "../platform/mail.ts";
import { purgeSandboxPages, tickSandboxBilling } from "./sandboxes.ts";

/** All jobs of the service. The migration creates a queue for each. */
export const registeredJobs: readonly JobDefinition[] = [
  platformJobs,
  bankingJobs,
  cardJobs,
  billingJobs,
  sandboxBillingJobs,
].flatMap((jobs) => Object.values<JobDefinition>(jobs));

interface JobPorts {
  mail: MailPort;
  receivers: readonly WebhookReceiver[];
  /** Hourly tasks beside those of the areas and sandboxes. */
  tasks: readonly HousekeepingTask[];
}

/** The handlers of all jobs. Throws if a job has none. */
export function createJobHandlers(
  platform: ServicePlatform,
  { mail, receivers, tasks }: JobPorts,
): readonly HandledJob[] {
  return registerHandlers(registeredJobs, [
    ...platformHandlers(platform, {
      mail,
      receivers,
      tasks: [...tasks, ...bankingTasks(platform), () => purgeSandboxPages(platform)],
      jobs: registeredJobs,
    }),
    ...bankingHandlers(platform),
    ...cardHandlers(platform),
    ...billingHandlers(platform),
    ...handleJobs(sandboxBillingJobs, { tick: () => tickSandboxBilling(platform) }),
  ]);
}
