import { addDays, monthsUntil } from "./zoned-day.ts";

/** The first and the last day of a report, both included, as the address of a page has them: "2026-03-01". */
export interface DaySpan {
  from: string;
  to: string;
}

/** The spans of months that a person asks for, until a day: today in the organization's time zone. */
export const reportPeriods = {
  "this-month": { label: "This month", days: (today: string) => spanOfMonths(today, 1) },
  "last-month": { label: "Last month", days: monthBefore },
  "3-months": { label: "3 months", days: (today: string) => spanOfMonths(today, 3) },
  year: { label: "12 months", days: (today: string) => spanOfMonths(today, 12) },
};

export type ReportPeriod = keyof typeof reportPeriods;

export const isReportPeriod = (value: unknown): value is ReportPeriod =>
  typeof value === "string" && Object.hasOwn(reportPeriods, value);

/** From the beginning of a month until a day. That day's month counts. */
export const spanOfMonths = (today: string, months: number): DaySpan => ({
  from: monthsUntil(today, months)[0]!.first,
  to: today,
});

/** From so many days before a day until that day. */
export const spanOfDays = (today: string, days: number): DaySpan => ({
  from: addDays(today, -days),
  to: today,
});

function monthBefore(today: string): DaySpan {
  const { first, last } = monthsUntil(today, 2)[0]!;
  return { from: first, to: last };
}

/** A report takes the start of a UTC day as that day of the calendar, in any time zone. It moves any other time into a zone. */
export const rangeOfSpan = ({ from, to }: DaySpan): { from: Date; to: Date } => ({
  from: new Date(from),
  to: new Date(to),
});
