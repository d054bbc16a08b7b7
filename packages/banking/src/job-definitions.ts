import type { TenantKey } from "@purser/db";
import { defineJob, onSchedule } from "@purser/platform/jobs";
import type { PresentPerson } from "./person.ts";
import type { Access, ProviderName } from "./ports.ts";

/** A consent to revoke at its provider, with its access token, which the database no longer has. */
export interface Revocation {
  provider: ProviderName;
  access: Access;
  /** Whether the person may never have agreed. Then there is nothing to revoke, and a provider may refuse. */
  mayBePending?: boolean;
}

/** A connection to sync. */
export interface SyncJob {
  organizationId: string;
  connectionId: string;
  /** The person who requested it. The queued sync has them too, unless an earlier version of the service queued it. */
  person?: PresentPerson | undefined;
}

/** Banking's jobs. */
export const bankingJobs = {
  /** A sync records its own failure and plans the next one. The retries are for errors that prevent even that. */
  sync: defineJob<SyncJob>("banking.sync", {
    retries: 5,
    pauseSeconds: 5,
    longestPauseSeconds: 10 * 60,
  }),
  revoke: defineJob<Revocation>("banking.revoke", {
    retries: 12,
    pauseSeconds: 10,
    longestPauseSeconds: 2 * 60 * 60,
  }),
  checkConsent: defineJob<TenantKey>("banking.check-consent", {
    retries: 3,
    pauseSeconds: 60,
    longestPauseSeconds: 600,
  }),
  schedule: defineJob<null>("banking.schedule", onSchedule("*/5 * * * *")),
  finishedLinks: defineJob<null>("banking.finished-links", onSchedule("*/5 * * * *")),
  remind: defineJob<null>("banking.remind", {
    retries: 2,
    pauseSeconds: 60,
    longestPauseSeconds: 600,
    cron: "41 * * * *",
  }),
};
