import type { HousekeepingTask } from "@purser/platform";
import { type HandledJob, handleJobs } from "@purser/platform/jobs";
import { remindOfExpiry } from "./connections/service/remind.ts";
import { revokeAtBank } from "./connections/service/revoke.ts";
import type { BankingPlatform } from "./context.ts";
import { bankingJobs } from "./job-definitions.ts";
import { purgeLinks } from "./link/store.ts";
import { runSyncs } from "./syncs/service/run.ts";
import { scheduleSyncs } from "./syncs/service/schedule.ts";

/** The handlers of banking's jobs. */
export function bankingHandlers(platform: BankingPlatform): HandledJob[] {
  return handleJobs(bankingJobs, {
    sync: ({ organizationId, connectionId }) => runSyncs(platform, { organizationId, id: connectionId }),
    revoke: (revocation) => revokeAtBank(platform, revocation),
    schedule: () => scheduleSyncs(platform),
    remind: () => remindOfExpiry(platform),
  });
}

/** Banking's hourly tasks. */
export const bankingTasks = (platform: BankingPlatform): HousekeepingTask[] => [
  () => purgeBankLinks(platform),
];

/** How long an expired link stays. A consent is usually connected at once. */
const retentionMs = 24 * 60 * 60 * 1000;

async function purgeBankLinks({ db, clock }: BankingPlatform): Promise<void> {
  await purgeLinks(db, new Date(clock.now().getTime() - retentionMs));
}
