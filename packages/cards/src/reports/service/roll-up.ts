import { addMs, addToDay, cardSpendingGroups, dayIn, dayMs, errorText, utcDay } from "@purser/core";
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
  listOrganizationsToRollUp,
  lockRollup,
  updateRollup,
} from "../store.ts";

/** A transaction of another process may still be on its way, under an id of that process's clock. */
const commitDelayMs = dayMs;

type Parts = Pick<Platform, "db" | "clock" | "logger">;

/**
 * Adds to the totals, for every organization, the days that no message of the network can still change. An organization that
 * fails does not stop the others; the failures are thrown together at the end.
 */
export async function rollUpSpending(platform: Parts): Promise<void> {
  const { db, clock, logger } = platform;
  const lastDay = utcDay(addMs(clock.now(), -commitDelayMs));
  const failures: unknown[] = [];
  for (const organizationId of await listOrganizationsToRollUp(db, lastDay)) {
    try {
      while (await db.transaction((transaction) => rollUpNextDay(platform, transaction, organizationId)));
    } catch (error) {
      failures.push(error);
      logger.error({ organizationId, reason: errorText(error) }, "Spending could not be added up");
    }
  }
  throwAll(failures);
}

/** Adds the next day of an organization, or deletes totals of a former time zone. Returns false if nothing is left to do. */
async function rollUpNextDay(
  { clock }: Parts,
  transaction: Transaction,
  organizationId: string,
): Promise<boolean> {
  const organization = await findOrganization(transaction, organizationId);
  if (organization === undefined) return false;
  const { timeZone } = organization;
  const rollup = await lockRollup(transaction, organizationId, timeZone);
  const until = rollup.timeZone === timeZone ? rollup.rolledUpUntil : null;
  // The days of another time zone are others. No report reads the totals that are still to be deleted.
  if (until === null) {
    const { isLast } = await deleteSpendingTotals(transaction, organizationId);
    await updateRollup(transaction, { ...rollup, ...(isLast && { timeZone }), rolledUpUntil: null });
    if (!isLast) return true;
  }
  const day = until === null ? await firstDay(transaction, organizationId, timeZone) : addToDay(until, 1);
  if (day === undefined) return false;
  const span = { from: startOfDay(day, timeZone), until: startOfDay(addToDay(day, 1), timeZone) };
  if (span.until.getTime() > clock.now().getTime() - commitDelayMs) return false;
  if (await hasOpenHold(transaction, organizationId, span)) return false;
  for (const groupBy of cardSpendingGroups) {
    await insertDay(transaction, organizationId, groupBy, { ...span, day });
    const month = { first: `${day.slice(0, 8)}01`, last: day };
    if (groupBy !== "day" && endsMonth(day)) await insertMonth(transaction, organizationId, groupBy, month);
  }
  await updateRollup(transaction, { organizationId, timeZone, rolledUpUntil: day });
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
