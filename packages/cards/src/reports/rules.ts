import { type ReportDays, addToDay, dayMs, eachDay, utcDay } from "@purser/core";
import { windowEnd, windowsAt } from "../authorizations/rules/windows.ts";

/** Returns the first instant of a day in a time zone, or of the next day if clocks skip the day. */
export function startOfDay(day: string, timeZone: string): Date {
  // Still an earlier day in every time zone.
  let instant = new Date(Date.parse(day) - 2 * dayMs);
  while (windowsAt(instant, timeZone).day < day) instant = windowEnd("DAILY", instant, timeZone);
  return instant;
}

export const endsMonth = (day: string): boolean => addToDay(day, 1).endsWith("-01");

/** The totals that cover a range of days: those of the days before the first whole month, of months, and of the days after. */
export function splitIntoMonths(days: ReportDays): { days: ReportDays[]; months: ReportDays | null } {
  const first = days.first.endsWith("-01") ? days.first : firstOfNextMonth(days.first);
  const last = endsMonth(days.last) ? days.last : addToDay(`${days.last.slice(0, 8)}01`, -1);
  if (first > last) return { days: [days], months: null };
  const around = [
    { first: days.first, last: addToDay(first, -1) },
    { first: addToDay(last, 1), last: days.last },
  ];
  return { days: around.filter((part) => part.first <= part.last), months: { first, last } };
}

function firstOfNextMonth(day: string): string {
  const date = new Date(day);
  date.setUTCMonth(date.getUTCMonth() + 1, 1);
  return utcDay(date);
}

/** What was spent in one currency with one card, at one merchant, in one category or on one day. */
export interface SpendingSum {
  currency: string;
  key: string;
  label: string;
  approved: bigint;
  declined: bigint;
  count: number;
  declinedCount: number;
}

/** Lists every day of every currency in order, with zeros where nothing was spent. */
export function withEmptyDays(
  sums: readonly SpendingSum[],
  currencies: readonly string[],
  days: ReportDays,
): SpendingSum[] {
  const found = new Map(sums.map((sum) => [`${sum.key} ${sum.currency}`, sum]));
  const all = [...new Set([...currencies, ...sums.map(({ currency }) => currency)])].toSorted();
  const nothing = { label: "", approved: 0n, declined: 0n, count: 0, declinedCount: 0 };
  return eachDay(days).flatMap((key) =>
    all.map((currency) => found.get(`${key} ${currency}`) ?? { ...nothing, currency, key }),
  );
}

/** Adds up the parts of a report. */
export function addSpending(parts: readonly SpendingSum[]): SpendingSum[] {
  const sums = new Map<string, SpendingSum>();
  for (const part of parts) {
    const key = `${part.currency} ${part.key}`;
    const sum = sums.get(key);
    sums.set(
      key,
      sum === undefined
        ? part
        : {
            ...sum,
            label: sum.label > part.label ? sum.label : part.label,
            approved: sum.approved + part.approved,
            declined: sum.declined + part.declined,
            count: sum.count + part.count,
            declinedCount: sum.declinedCount + part.declinedCount,
          },
    );
  }
  return [...sums.values()];
}
