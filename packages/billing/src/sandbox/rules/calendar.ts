import { addMs, dayMs } from "@purser/core";

/** How often a subscription is paid. */
export interface Interval {
  interval: "month" | "year";
  interval_count: number;
}

/**
 * Returns the end of the period that begins at `start`. All periods begin on the anchor's day of the month, at its time
 * of day (UTC), or on the last day of a shorter month: an anchor of 31 January gives 28 February, then 31 March.
 * Counting from the previous period instead would stay on the 28th.
 */
export function periodEnd(anchor: Date, start: Date, { interval, interval_count: count }: Interval): Date {
  const length = interval === "year" ? 12 * count : count;
  return addMonths(anchor, monthsOf(start) - monthsOf(anchor) + length);
}

export function addDaysToInstant(date: Date, days: number): Date {
  return addMs(date, days * dayMs);
}

const monthsOf = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth();

function addMonths(date: Date, months: number): Date {
  const result = new Date(date);
  result.setUTCMonth(date.getUTCMonth() + months, 1);
  const lastDay = new Date(result);
  lastDay.setUTCMonth(result.getUTCMonth() + 1, 0);
  result.setUTCDate(Math.min(date.getUTCDate(), lastDay.getUTCDate()));
  return result;
}
