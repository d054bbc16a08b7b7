import { addToDay, cardSpendingGroups, dayIn, dayMs, utcDay } from "@purser/core";
import type { Transaction } from "@purser/db";
import { findOrganization } from "@purser/organizations";
import type { Platform } from "@purser/platform";
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

type Parts = Pick<Platform, "db" | "clock">;

/** Adds to the totals, for every organization, the days that no message of the network can still change. */
export async function foldSpending(platform: Parts): Promise<void> {
  const { db, clock } = platform;
  const lastDay = utcDay(new Date(clock.now().getTime() - settlingMs));
  for (const organizationId of await listUnfolded(db, lastDay))
    while (await db.transaction((transaction) => foldDay(platform, transaction, organizationId)));
}

/** Adds the next day of an organization. Returns false if it may still change. */
async function foldDay({ clock }: Parts, transaction: Transaction, organizationId: string): Promise<boolean> {
  const organization = await findOrganization(transaction, organizationId);
  if (organization === undefined) return false;
  const { timeZone } = organization;
  const fold = await lockFold(transaction, organizationId, timeZone);
  const isSameZone = fold.timeZone === timeZone;
  // The days of another time zone are others.
  if (!isSameZone) await deleteSpendingTotals(transaction, organizationId);
  const until = isSameZone ? fold.foldedUntil : null;
  if (!isSameZone) await setFold(transaction, { organizationId, timeZone, foldedUntil: null });
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
