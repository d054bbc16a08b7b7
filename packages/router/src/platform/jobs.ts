import type { QueueOptions } from "pg-boss";
import type { Revocation } from "../banking/index.ts";
import type { CheckoutExpiry, SubscriptionPlace } from "../billing/index.ts";
import type { AbandonedCard } from "../cards/index.ts";
import { PgBoss } from "pg-boss";
import type { WebhookKey } from "./inbox/delivery.ts";
import type { SandboxDelivery } from "./inbox/sandbox.ts";
import type { Mail } from "./mail.ts";
import type { SealContext } from "./secrets.ts";

/** The work that may wait, by name: what each job carries, in plain JSON. An area adds its rows here. */
export interface Jobs {
  "mail.send": Mail;
  "webhooks.apply": WebhookKey;
  "sandbox.deliver": SandboxDelivery;
  "banking.sync": { organizationId: string; connectionId: string };
  "banking.revoke": Revocation;
  "cards.status": { organizationId: string; cardId: string };
  "cards.abandon": AbandonedCard;
  "billing.synchronise": SubscriptionPlace;
  "billing.expire": CheckoutExpiry;
  // What runs on a schedule carries nothing.
  "billing.reconcile": null;
  "billing.refresh": null;
  "billing.tick": null;
  "cards.sweep": null;
  "banking.schedule": null;
  "banking.remind": null;
  "housekeeping.purge": null;
}

export type JobName = keyof Jobs;

/** What a handler is told about the job beside its data. */
export interface JobFacts {
  /** The same at every attempt: what a repeated effect can be recognised by. */
  id: string;
  /** Counts from 1. */
  attempt: number;
  /** No other attempt follows when this one fails. */
  last: boolean;
}

/** Does the work of each job. A job may run again after it has succeeded, so the effect has to bear repetition. */
export type JobHandlers = { [Name in JobName]: (data: Jobs[Name], job: JobFacts) => Promise<void> };

/** Thrown by a handler where trying again is of no use: the job is dead at once. */
export class PermanentFailure extends Error {
  override readonly name = "PermanentFailure";
}

interface Policy {
  /** Attempts after the first one. */
  retries: number;
  /** The first pause; it doubles, with up to as much again by chance. */
  pauseSeconds: number;
  longestPauseSeconds: number;
  /** The minute, hour … at which the job is made by itself (UTC). */
  cron?: string;
}

/** Of what comes again by itself: a database that was away for some seconds leaves no dead job behind. */
const rerun = { retries: 3, pauseSeconds: 5, longestPauseSeconds: 30 };

const policies: Record<JobName, Policy> = {
  // Over about eight hours, so that a mail outlives an outage of the mail server.
  "mail.send": { retries: 12, pauseSeconds: 10, longestPauseSeconds: 2 * 60 * 60 },
  "webhooks.apply": { retries: 12, pauseSeconds: 3, longestPauseSeconds: 60 * 60 },
  "sandbox.deliver": { retries: 12, pauseSeconds: 3, longestPauseSeconds: 60 * 60 },
  // A synchronisation puts its failure on record and plans the next one itself; this is for what kept it from that.
  "banking.sync": { retries: 5, pauseSeconds: 5, longestPauseSeconds: 10 * 60 },
  "banking.revoke": { retries: 12, pauseSeconds: 10, longestPauseSeconds: 2 * 60 * 60 },
  "banking.schedule": { ...rerun, cron: "*/5 * * * *" },
  "banking.remind": { retries: 2, pauseSeconds: 60, longestPauseSeconds: 600, cron: "41 * * * *" },
  // Our engine refuses by itself meanwhile; the issuer hears of it as soon as it is up again.
  "cards.status": { retries: 15, pauseSeconds: 2, longestPauseSeconds: 60 * 60 },
  "cards.abandon": { retries: 15, pauseSeconds: 10, longestPauseSeconds: 60 * 60 },
  "cards.sweep": { ...rerun, cron: "* * * * *" },
  "billing.synchronise": { retries: 12, pauseSeconds: 3, longestPauseSeconds: 60 * 60 },
  "billing.expire": { retries: 8, pauseSeconds: 5, longestPauseSeconds: 60 * 60 },
  "billing.reconcile": { ...rerun, cron: "7,37 * * * *" },
  "billing.refresh": { ...rerun, cron: "23 * * * *" },
  "billing.tick": { ...rerun, cron: "* * * * *" },
  "housekeeping.purge": { retries: 2, pauseSeconds: 60, longestPauseSeconds: 600, cron: "17 * * * *" },
};

export const jobNames = Object.keys(policies) as JobName[];

const day = 24 * 60 * 60;

/** How long a dead job can be seen and replayed. Those that are done are purged after a day. */
const deadDays = 90;

/** Where a job's data is sealed. */
export const sealedFor = (name: string, id: string): SealContext => ["job", name, id];

/**
 * Creates or upgrades the tables of the job runner (schema `pgboss`), its queues and schedules.
 * It is part of migrating, takes a lock of its own, and changes nothing when everything is as it should be.
 */
export async function migrateJobs(url: string): Promise<void> {
  const boss = new PgBoss({ connectionString: runnerUrl(url), max: 1, supervise: false, schedule: false });
  // Indexes that an upgrade builds in the background may fail; the worker tries them again.
  boss.on("error", () => undefined);
  try {
    await boss.start();
    for (const name of jobNames) {
      await boss.createQueue(name, queueOptions(policies[name]));
      await boss.updateQueue(name, queueOptions(policies[name]));
    }
    await migrateSchedules(boss);
  } finally {
    await boss.stop({ graceful: false });
  }
}

async function migrateSchedules(boss: PgBoss): Promise<void> {
  for (const { name } of await boss.getSchedules()) {
    if (policies[name as JobName]?.cron === undefined) await boss.unschedule(name);
  }
  for (const name of jobNames) {
    const { cron } = policies[name];
    if (cron !== undefined) await boss.schedule(name, cron, null, { tz: "UTC" });
  }
}

function queueOptions(policy: Policy): QueueOptions & { notify: boolean } {
  return {
    notify: true,
    retryLimit: policy.retries,
    retryDelay: policy.pauseSeconds,
    retryBackoff: true,
    retryDelayMax: policy.longestPauseSeconds,
    // A killed process is noticed by its missing heartbeat; a handler that hangs, by the clock.
    heartbeatSeconds: 30,
    expireInSeconds: 5 * 60,
    deleteAfterSeconds: deadDays * day,
    // pg-boss drops jobs that nobody fetched for this long. An accepted job is never dropped.
    retentionSeconds: 50 * 365 * day,
  };
}

/**
 * The address as pg-boss's own driver needs it: there, `sslmode=require` would also demand a certificate of a known
 * authority, which neither libpq nor our driver does.
 */
export function runnerUrl(url: string): string {
  const parsed = new URL(url);
  if (parsed.searchParams.has("sslmode")) parsed.searchParams.set("uselibpqcompat", "true");
  return parsed.href;
}
