import { addToDay, cardSpendingGroups, dayIn, dayMs, errorText, utcDay } from "@purser/core";
import type { Transaction } from "@purser/db";
import { findOrganization } from "@purser/organizations";
import { type Platform, throwAll } from "@purser/platform";
import { endsMonth, startOfDay } from "../rules.ts";
import {
  deleteSpendingTotals,
  findFirstCreated,
  hasOpenHold,
  insertDay,
  insertMonth,
  listUnfolded,
  lockFold,
  setFold,
} from "../store.ts";

/** A transaction of another process may still be on its way, under an id of that process's clock. */
const settlingMs = dayMs;

type Parts = Pick<Platform, "db" | "clock" | "logger">;

/**
 * Adds to the totals, for every organization, the days that no message of the network can still change. An organization that
 * fails does not stop the others; the failures are thrown together at the end.
 */
export async function foldSpending(platform: Parts): Promise<void> {
  const { db, clock, logger } = platform;
  const lastDay = utcDay(new Date(clock.now().getTime() - settlingMs));
  const failures: unknown[] = [];
  for (const organizationId of await listUnfolded(db, lastDay)) {
    try {
      while (await db.transaction((transaction) => takeStep(platform, transaction, organizationId)));
    } catch (error) {
      failures.push(error);
      logger.error({ organizationId, reason: errorText(error) }, "Spending could not be added up");
    }
  }
  throwAll(failures);
}

/** Adds the next day of an organization, or deletes totals of a former time zone. Returns false if nothing is left to do. */
async function takeStep(
  { clock }: Parts,
  transaction: Transaction,
  organizationId: string,
): Promise<boolean> {
  const organization = await findOrganization(transaction, organizationId);
  if (organization === undefined) return false;
  const { timeZone } = organization;
  const fold = await lockFold(transaction, organizationId, timeZone);
  const until = fold.timeZone === timeZone ? fold.foldedUntil : null;
  // The days of another time zone are others. No report reads the totals that are still to be deleted.
  if (until === null) {
    const { isLast } = await deleteSpendingTotals(transaction, organizationId);
    await setFold(transaction, { ...fold, ...(isLast && { timeZone }), foldedUntil: null });
    if (!isLast) return true;
  }
  const day = until === null ? await firstDay(transaction, organizationId, timeZone) : addToDay(until, 1);
  if (day === undefined) return false;
  const span = { from: startOfDay(day, timeZone), until: startOfDay(addToDay(day, 1), timeZone) };
  if (span.until.getTime() > clock.now().getTime() - settlingMs) return false;
  if (await hasOpenHold(transaction, organizationId, span)) return false;
  for (const groupBy of cardSpendingGroups) {
    await insertDay(transaction, organizationId, groupBy, { ...span, day });
    const month = { first: `${day.slice(0, 8)}01`, last: day };
    if (groupBy !== "day" && endsMonth(day)) await insertMonth(transaction, organizationId, groupBy, month);
  }
  await setFold(transaction, { organizationId, timeZone, foldedUntil: day });
  return true;
}

async function firstDay(
  transaction: Transaction,
  organizationId: string,
  timeZone: string,
): Promise<string | undefined> {
  const first = await findFirstCreated(transaction, organizationId);
  return first && dayIn(timeZone, first);
}
