import { deleteInBatches, webhookDeliveries } from "@purser/db";
import { and, eq, gt, inArray, lt, sql } from "drizzle-orm";
import type { Platform } from "./context.ts";
import { purgeIdempotencyKeys } from "./idempotency.ts";
import { jobNames } from "./jobs.ts";
import { runnerJobs } from "./outbox/table.ts";

/** What an area wants done once an hour. */
export type Chore = () => Promise<unknown>;

/** Deletes what has had its time, once an hour. One chore that fails does not keep the others from being done. */
export async function keepHouse(platform: Platform, chores: readonly Chore[]): Promise<void> {
  const ours: Chore[] = [
    () => purgeIdempotencyKeys(platform.db, platform.clock.now()),
    () => purgeJobs(platform),
    () => buryDeliveries(platform),
  ];
  const results = await Promise.allSettled([...ours, ...chores].map((chore) => chore()));
  const failures = results
    .filter((result) => result.status === "rejected")
    .map(({ reason }) => reason as unknown);
  if (failures.length > 0) throw new AggregateError(failures, String(failures[0]));
}

/** A job that is done is seen for a day; it may carry a token, sealed as it is. Dead ones stay for pg-boss's 90 days. */
async function purgeJobs({ db }: Platform): Promise<void> {
  const aDayAgo = sql`now() - interval '1 day'`;
  const isDone = and(
    inArray(runnerJobs.name, jobNames),
    eq(runnerJobs.state, "completed"),
    lt(runnerJobs.completedOn, aDayAgo),
  );
  await deleteInBatches(db, runnerJobs, isDone);
}

/** A process that was killed in its job's last attempt left the event pending, with nobody to say that it is dead. */
async function buryDeliveries({ db, clock }: Platform): Promise<void> {
  const longAgo = new Date(clock.now().getTime() - 24 * 60 * 60 * 1000);
  await db
    .update(webhookDeliveries)
    .set({ status: "DEAD", lastError: "The last attempt did not come to an end", updatedAt: clock.now() })
    .where(
      and(
        eq(webhookDeliveries.status, "PENDING"),
        gt(webhookDeliveries.attempts, 0),
        lt(webhookDeliveries.updatedAt, longAgo),
      ),
    );
}
