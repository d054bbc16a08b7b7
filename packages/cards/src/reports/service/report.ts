import { type ReportDays, addToDay, eachDay, reportDays, reportedSum } from "@purser/core";
import type { Executor } from "@purser/db";
import type { ListContext } from "@purser/organizations";
import { callerId } from "@purser/platform";
import type { z } from "zod";
import type { ReportSpending } from "../contract.ts";
import { type SpendingSum, addSpending, splitIntoMonths, startOfDay, withEmptyDays } from "../rules.ts";
import {
  type SpendingGroup,
  findRollup,
  listCardCurrencies,
  listCardLabels,
  sumTotals,
  sumTransactions,
} from "../store.ts";

interface Scope {
  organizationId: string;
  groupBy: SpendingGroup;
  timeZone: string;
  days: ReportDays;
}

/** Owners see what was spent with all cards. Members see their own purchases, as in the list. */
export async function reportSpending(
  { readDb, clock, organization, membership, caller }: ListContext,
  { organizationId, groupBy, ...range }: z.output<typeof ReportSpending>,
) {
  const { timeZone } = organization;
  const days = reportDays(range, timeZone, clock.now());
  if (days === null) return [];
  const scope = { organizationId, groupBy, timeZone, days };
  const holderId = membership.role === "OWNER" ? undefined : callerId(caller);
  const sums = holderId === undefined ? await sumAll(readDb, scope) : await sumRaw(readDb, scope, holderId);
  const keys = sums.map(({ key }) => key);
  const labels = groupBy === "card" ? await listCardLabels(readDb, organizationId, keys) : undefined;
  const items =
    groupBy === "day"
      ? withEmptyDays(sums, await listCardCurrencies(readDb, organizationId, holderId), days)
      : sums.toSorted(byAmount);
  return items.map(({ key, label, approved, declined, ...sum }) => ({
    ...sum,
    key: groupBy === "category" && key === "" ? null : key,
    label: groupBy === "merchant" ? label : (labels?.get(key) ?? key),
    approved: reportedSum(approved),
    declined: reportedSum(declined),
  }));
}

/**
 * Sums the days that have totals by these, and the others by their transactions. Totals do not change, but those of a
 * former time zone are deleted.
 */
async function sumAll(db: Executor, scope: Scope): Promise<SpendingSum[]> {
  const { organizationId, groupBy, timeZone, days } = scope;
  const rollup = await findRollup(db, organizationId);
  const until = rollup?.timeZone === timeZone ? rollup.rolledUpUntil : null;
  if (until === null || until < days.first) return sumRaw(db, scope, undefined);
  const totaled = { first: days.first, last: until < days.last ? until : days.last };
  const parts = groupBy === "day" ? { days: [totaled], months: null } : splitIntoMonths(totaled);
  const rest = { ...scope, days: { first: addToDay(until, 1), last: days.last } };
  const [totals, recent] = await Promise.all([
    sumTotals(db, organizationId, groupBy, parts),
    until < days.last ? sumRaw(db, rest, undefined) : [],
  ]);
  // Meanwhile the totals may have begun to be replaced by those of another time zone.
  const now = await findRollup(db, organizationId);
  const isWhole = now?.timeZone === timeZone && now.rolledUpUntil !== null && now.rolledUpUntil >= until;
  if (!isWhole) return sumRaw(db, scope, undefined);
  return recent.length === 0 ? totals : addSpending([...totals, ...recent]);
}

function sumRaw(
  db: Executor,
  { organizationId, groupBy, timeZone, days: { first, last } }: Scope,
  holderId: string | undefined,
): Promise<SpendingSum[]> {
  const spanOf = (from: string, to: string) => ({
    from: startOfDay(from, timeZone),
    until: startOfDay(addToDay(to, 1), timeZone),
  });
  const days = groupBy === "day" ? eachDay({ first, last }) : [];
  return sumTransactions(db, organizationId, {
    groupBy,
    span: spanOf(first, last),
    holderId,
    days: days.map((day) => ({ day, ...spanOf(day, day) })),
  });
}

/** The largest amount of each currency first. */
const byAmount = (one: SpendingSum, other: SpendingSum) =>
  order(one.currency, other.currency) || order(other.approved, one.approved) || order(one.key, other.key);

const order = <Value extends string | bigint>(one: Value, other: Value) =>
  one < other ? -1 : one > other ? 1 : 0;
