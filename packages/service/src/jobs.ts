import { bankingHandlers, bankingJobs, bankingTasks } from "@purser/banking";
import { billingHandlers, billingJobs, sandboxBillingJobs } from "@purser/billing";
import { cardHandlers, cardJobs, cardTasks } from "@purser/cards";
import { eventTasks } from "@purser/events";
import { type Auth, identityJobs } from "@purser/identity";
import {
  type HandledJob,
  type JobDefinition,
  type PlatformJobPorts,
  handleJobs,
  platformHandlers,
  platformJobs,
  registerHandlers,
  webhookJobs,
} from "@purser/platform/jobs";
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

/** Its `tasks` are those beside the tasks of the areas and sandboxes. */
interface JobPorts extends PlatformJobPorts {
  auth: Pick<Auth, "sendAccountMail">;
}

/** Returns the handlers of all jobs. Throws if a job has none. */
export function createJobHandlers(
  platform: ServicePlatform,
  { auth, tasks, ...ports }: JobPorts,
): readonly HandledJob[] {
  return registerHandlers(registeredJobs, [
    ...platformHandlers(platform, {
      ...ports,
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
