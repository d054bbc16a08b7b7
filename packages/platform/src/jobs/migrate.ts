import { isDeepStrictEqual } from "node:util";
import type { MigratedDatabase } from "@purser/db";
import { PgBoss, type QueueOptions } from "pg-boss";
import type { JobDefinition, JobPolicy } from "./definition.ts";
import { leaseMs } from "../leases.ts";
import { runnerUrl } from "./pg-boss.ts";
import { watchedSocket } from "./watched-socket.ts";

interface MigrateJobsOptions extends Partial<MigratedDatabase> {
  /** Names that earlier versions had a schedule for. */
  retired?: readonly string[];
}

/**
 * Jobs that no longer run on a schedule. A schedule that this version does not know is kept: a later version has added it, and
 * a process of this one that starts beside it must not end it.
 */
const retiredSchedules: readonly string[] = [];

/**
 * Creates or upgrades the tables of pg-boss (schema `pgboss`), and the queues and schedules of these jobs. It is part
 * of the migration, takes its own lock, and changes nothing when everything is up to date. In a database of a later version, it
 * creates missing queues, with their schedules, and no more: a process that restarts during an upgrade must not set back what
 * the later version has changed. An upgrade of pg-boss may take long, so its statements have no limit of time; `lostBefore` ends
 * them.
 */
export async function migrateJobs(
  url: string,
  jobs: readonly JobDefinition[],
  { lostBefore = () => 0, isOfLaterVersion = false, retired = retiredSchedules }: MigrateJobsOptions = {},
): Promise<void> {
  // pg-boss passes it to its driver, but its types omit it.
  const driverOption = { stream: () => watchedSocket(lostBefore) };
  const boss = new PgBoss({
    connectionString: localUrl(url),
    max: 1,
    supervise: false,
    schedule: false,
    ...driverOption,
  });
  // An index that an upgrade builds in the background may fail. The worker retries it.
  boss.on("error", () => undefined);
  try {
    await boss.start();
    const created = await migrateQueues(boss, jobs, { onlyMissing: isOfLaterVersion });
    // The later version may have retired the schedule of a queue that exists.
    if (isOfLaterVersion) await migrateSchedules(boss, created, []);
    else await migrateSchedules(boss, jobs, retired);
  } finally {
    await boss.stop({ graceful: false });
  }
}

/** The tables of pg-boss are the coordinator's alone: Citus would repeat their schema on every server, and fails there. */
function localUrl(url: string): string {
  const local = new URL(runnerUrl(url));
  const options = [local.searchParams.get("options"), "-c citus.enable_ddl_propagation=off"];
  local.searchParams.set("options", options.filter((one) => one !== null).join(" "));
  return local.href;
}

/** Returns the jobs whose queues it has created. */
async function migrateQueues(
  boss: PgBoss,
  jobs: readonly JobDefinition[],
  { onlyMissing }: { onlyMissing: boolean },
): Promise<JobDefinition[]> {
  const queues = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  for (const { name, policy } of jobs) {
    const options = queueOptions(policy);
    const queue = queues.get(name);
    if (queue === undefined) await boss.createQueue(name, options);
    else if (!onlyMissing && !isSuperset(queue, options)) await boss.updateQueue(name, options);
  }
  return jobs.filter(({ name }) => !queues.has(name));
}

async function migrateSchedules(
  boss: PgBoss,
  jobs: readonly JobDefinition[],
  retired: readonly string[],
): Promise<void> {
  const crons = new Map(
    jobs.flatMap(({ name, policy: { cron } }) => (cron === undefined ? [] : [[name, cron]])),
  );
  const schedules = new Map((await boss.getSchedules()).map((schedule) => [schedule.name, schedule]));
  for (const name of retired) {
    if (schedules.has(name)) await boss.unschedule(name);
  }
  for (const [name, cron] of crons) {
    const known = schedules.get(name);
    if (known?.cron === cron && known.timezone === "UTC") continue;
    await boss.schedule(name, cron, null, { tz: "UTC" });
  }
}

/** Whether an object has all properties of another one, with the same values. */
const isSuperset = (whole: object, part: object) => isDeepStrictEqual({ ...whole, ...part }, { ...whole });

const day = 24 * 60 * 60;

/** How long a dead job can be seen and replayed. Completed jobs are purged after a day. */
const deadDays = 90;

function queueOptions(policy: JobPolicy): QueueOptions & { notify: boolean } {
  return {
    notify: true,
    retryLimit: policy.retries,
    retryDelay: policy.pauseSeconds,
    retryBackoff: true,
    retryDelayMax: policy.longestPauseSeconds,
    // A missing heartbeat reveals a killed process; the expiry reveals a handler that hangs.
    heartbeatSeconds: leaseMs / 1000,
    expireInSeconds: policy.timeoutSeconds ?? 5 * 60,
    deleteAfterSeconds: deadDays * day,
    // pg-boss drops jobs that no worker has fetched for this long. An accepted job is never dropped.
    retentionSeconds: 50 * 365 * day,
  };
}
