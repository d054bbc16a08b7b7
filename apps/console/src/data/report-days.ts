/** At noon, which is the same day in almost every time zone: the report takes the day in the organization's. */
export const today = (): Date => new Date(`${new Date().toISOString().slice(0, 10)}T12:00:00Z`);

/** The first day of the month so many months ago. */
export function monthsAgo(count: number): Date {
  const now = today();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count, 1, 12));
}

/** The spans of months that a person asks for, with their first and last day. */
export const reportPeriods = {
  "this-month": { label: "This month", days: () => ({ from: monthsAgo(0), to: today() }) },
  "last-month": { label: "Last month", days: () => ({ from: monthsAgo(1), to: dayBefore(monthsAgo(0)) }) },
  "3-months": { label: "3 months", days: () => ({ from: monthsAgo(2), to: today() }) },
  year: { label: "12 months", days: () => ({ from: monthsAgo(11), to: today() }) },
};

export type ReportPeriod = keyof typeof reportPeriods;

export const isReportPeriod = (value: unknown): value is ReportPeriod =>
  typeof value === "string" && Object.hasOwn(reportPeriods, value);

/** A day of a report as the address of a page has it. */
export const addressDay = (day: Date): string => day.toISOString().slice(0, 10);

const dayBefore = (day: Date): Date => new Date(day.getTime() - 86_400_000);
