import type { BankingPlatform } from "../context.ts";
import type { JobHandlers } from "../../platform/jobs.ts";
import { remindOfExpiry } from "../connections/service/remind.ts";
import { revokeAtBank } from "../connections/service/revoke.ts";
import { purgeLinks } from "../link/store.ts";
import { scheduleSyncs } from "../syncs/service/schedule.ts";
import { runSyncs } from "../syncs/service/run.ts";

/** What banking does in the background. */
export function bankingJobs(
  platform: BankingPlatform,
): Pick<JobHandlers, "banking.sync" | "banking.revoke" | "banking.schedule" | "banking.remind"> {
  return {
    "banking.sync": ({ organizationId, connectionId }) =>
      runSyncs(platform, { organizationId, id: connectionId }),
    "banking.revoke": (revocation) => revokeAtBank(platform, revocation),
    "banking.schedule": () => scheduleSyncs(platform),
    "banking.remind": () => remindOfExpiry(platform),
  };
}

/** A consent is usually connected at once; a day later its link has had its time. */
const keptMilliseconds = 24 * 60 * 60 * 1000;

/** What banking wants done once an hour: links that have ended are deleted. */
export async function tidyBanking({ db, clock }: BankingPlatform): Promise<void> {
  await purgeLinks(db, new Date(clock.now().getTime() - keptMilliseconds));
}
