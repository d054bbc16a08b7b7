import type { ReportDays } from "@purser/core";
import { windowEnd, windowsAt } from "../authorizations/rules/windows.ts";

const dayMs = 86_400_000;

/** Returns the first instant of a day in a time zone, or of the next day if clocks skip the day. */
export function startOfDay(day: string, timeZone: string): Date {
  // Still an earlier day in every time zone.
  let instant = new Date(Date.parse(day) - 2 * dayMs);
  while (windowsAt(instant, timeZone).day < day) instant = windowEnd("DAILY", instant, timeZone);
  return instant;
}

export const dayAfter = (day: string): string => new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10);

const dayBefore = (day: string): string => new Date(Date.parse(day) - dayMs).toISOString().slice(0, 10);

export const endsMonth = (day: string): boolean => dayAfter(day).endsWith("-01");

/** The totals that cover a range of days: those of the days before the first whole month, of months, and of the days after. */
export function splitIntoMonths(days: ReportDays): { days: ReportDays[]; months: ReportDays | null } {
  const first = days.first.endsWith("-01") ? days.first : firstOfNextMonth(days.first);
  const last = endsMonth(days.last) ? days.last : dayBefore(`${days.last.slice(0, 8)}01`);
  if (first > last) return { days: [days], months: null };
  const around = [
    { first: days.first, last: dayBefore(first) },
    { first: dayAfter(last), last: days.last },
  ];
  return { days: around.filter((part) => part.first <= part.last), months: { first, last } };
}

function firstOfNextMonth(day: string): string {
  const date = new Date(day);
  date.setUTCMonth(date.getUTCMonth() + 1, 1);
  return date.toISOString().slice(0, 10);
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
