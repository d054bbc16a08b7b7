import { deleteInBatches } from "@purser/db";
import { and, eq, lt, sql } from "drizzle-orm";
import type { Platform } from "./context.ts";
import { purgeIdempotencyKeys } from "./idempotency/index.ts";
import { failInterruptedWebhooks } from "./inbox/apply.ts";
import { purgeWebhooks } from "./inbox/inspect.ts";
import { isOurJob, runnerJobs } from "./jobs/table.ts";
import { throwAll } from "./problems.ts";

/** A task that runs once an hour, such as deleting expired rows. */
export type HousekeepingTask = () => Promise<unknown>;

/** Runs the platform's and the areas' hourly tasks. A task that fails does not prevent the others. */
export async function runHousekeeping(platform: Platform, tasks: readonly HousekeepingTask[]): Promise<void> {
  const own: HousekeepingTask[] = [
    () => purgeIdempotencyKeys(platform.db, platform.clock.now()),
    () => purgeJobs(platform),
    () => failInterruptedWebhooks(platform),
    () => purgeWebhooks(platform),
  ];
  const results = await Promise.allSettled([...own, ...tasks].map((task) => task()));
  const failures = results
    .filter((result) => result.status === "rejected")
    .map(({ reason }) => reason as unknown);
  throwAll(failures);
}

/**
 * Completed jobs stay visible for a day only, because a sealed payload may hold a token: also those of kinds that this version no
 * longer has. Dead jobs stay 90 days.
 */
async function purgeJobs({ db }: Platform): Promise<void> {
  const aDayAgo = sql`now() - interval '1 day'`;
  const isDone = and(isOurJob, eq(runnerJobs.state, "completed"), lt(runnerJobs.completedOn, aDayAgo));
  await deleteInBatches(db, runnerJobs, isDone);
}
