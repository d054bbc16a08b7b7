import { addMs, dayMs } from "@purser/core";
import type { HousekeepingTask } from "@purser/platform";
import { type HandledJob, type Sweep, handleJobs } from "@purser/platform/jobs";
import { checkConsent } from "./connections/service/check-consent.ts";
import { remindOfDeadlines } from "./connections/service/remind.ts";
import { revocations } from "./connections/service/revoke.ts";
import type { BankingPlatform } from "./context.ts";
import { bankingJobs } from "./job-definitions.ts";
import { revokeUnclaimed } from "./exchanges/service.ts";
import { connectFinishedLinks } from "./link/service/finished-links.ts";
import { purgeLinks } from "./link/service/purge-links.ts";
import { purgeQuarantine } from "./quarantine/store.ts";
import { backgroundSyncs } from "./syncs/service/background.ts";
import { failInterruptedSyncs, scheduleSyncs } from "./syncs/service/schedule.ts";
import { purgeSyncs } from "./syncs/store/runs.ts";
import { maintainSearch } from "./transactions/service/maintain-search.ts";

/** The handlers of banking's jobs. */
export function bankingHandlers(platform: BankingPlatform): HandledJob[] {
  return handleJobs(bankingJobs, {
    sync: backgroundSyncs(platform),
    revoke: revocations(platform),
    checkConsent: (connection) => checkConsent(platform, connection),
    schedule: () => scheduleSyncs(platform),
    finishedLinks: () => connectFinishedLinks(platform),
    remind: () => remindOfDeadlines(platform),
  });
}

/** Banking's hourly tasks. */
export const bankingTasks = (platform: BankingPlatform): HousekeepingTask[] => [
  () => purgeLinks(platform),
  () => purgeSyncs(platform.db, daysAgo(platform, syncRetentionDays)),
  () => purgeQuarantine(platform.db, daysAgo(platform, quarantineRetentionDays)),
  () => revokeUnclaimed(platform),
  () => maintainSearch(platform),
];

/** What banking does every few seconds. */
export const bankingSweeps = (platform: BankingPlatform): Sweep[] => [() => failInterruptedSyncs(platform)];

/** How long the outcome of a sync stays. */
const syncRetentionDays = 90;

/** How long an entry stays that no sync has seen again and that is no owner's decision. */
const quarantineRetentionDays = 365;

const daysAgo = ({ clock }: BankingPlatform, days: number): Date => addMs(clock.now(), -days * dayMs);
