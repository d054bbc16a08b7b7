import { dayMs, utcDay } from "./day.ts";
import { explained } from "./explained.ts";
import { Instant, InstantUntil } from "./fields.ts";
import { Problem, validationFailed } from "./problem.ts";

/** The range of a report. In its fields a plain day is a day of the organization's time zone. */
export const reportRange = {
  from: Instant.meta({
    inTimeZone: true,
    ...explained(
      "The first day of the report. The first and the last millisecond of a day in UTC mean that day of the calendar, as a plain day does; any other time means the day on which it falls in the organization's time zone.",
      new Date("2026-03-01T00:00:00.000Z"),
    ),
  }),
  to: InstantUntil.meta({
    inTimeZone: true,
    ...explained(
      "The last day of the report, itself included; if it is in the future, today. A time means a day as in `from`. A report has at most 731 days.",
      new Date("2026-03-31T23:59:59.999Z"),
    ),
  }),
};

/** The refinement of contracts with a {@link reportRange}. */
export const isRange = ({ from, to }: { from: Date; to: Date }): boolean => from <= to;
/** The issue of an input that is not {@link isRange}. */
export const notARange = { path: ["from"], error: "Must not be after to" };

/** Days as YYYY-MM-DD, both included. */
export interface ReportDays {
  first: string;
  last: string;
}

const maxDays = 731;

/**
 * Returns the days of a report in a time zone, at most until today; null if it begins after today. The start and the end
 * of a UTC day mean that day in any zone: so the API writes plain days. Throws VALIDATION_FAILED for a longer report.
 *
 * @example
 * reportDays({ from: new Date("2026-03-01"), to: new Date("2026-03-31") }, "Europe/London", now);
 * // { first: "2026-03-01", last: "2026-03-31" }
 */
export function reportDays(
  { from, to }: { from: Date; to: Date },
  timeZone: string,
  now: Date,
): ReportDays | null {
  const days = { first: firstDayIn(timeZone, from), last: lastDayIn(timeZone, to, now) };
  if (days.first > days.last) return null;
  refuseTooLong(days);
  return days;
}

/**
 * Throws VALIDATION_FAILED for a report that is too long in every time zone, from UTC−12 to UTC+14. Such an input is invalid
 * before its organization is known.
 */
export function checkReportLength({ from, to }: { from: Date; to: Date }, now: Date): void {
  refuseTooLong({ first: firstDayIn("Etc/GMT-14", from), last: lastDayIn("Etc/GMT+12", to, now) });
}

const firstDayIn = (timeZone: string, from: Date) => plainDay(from) ?? dayIn(timeZone, from);

function lastDayIn(timeZone: string, to: Date, now: Date): string {
  const [last, today] = [plainDay(to) ?? dayIn(timeZone, to), dayIn(timeZone, now)];
  return last < today ? last : today;
}

function refuseTooLong({ first, last }: ReportDays): void {
  if (Date.parse(last) - Date.parse(first) < maxDays * dayMs) return;
  const message = `Must be at most ${maxDays} days after from, both included`;
  throw validationFailed([{ path: ["to"], code: "too_big", message }]);
}

/** Returns a sum of a report as an amount. Throws SUM_TOO_LARGE, because a JavaScript number would not be exact. */
export function reportedSum(sum: bigint): number {
  const amount = Number(sum);
  if (!Number.isSafeInteger(amount)) throw new Problem("SUM_TOO_LARGE");
  return amount;
}

/** Lists the days from the first to the last, oldest first. */
export function eachDay({ first, last }: ReportDays): string[] {
  const start = Date.parse(first);
  const count = (Date.parse(last) - start) / dayMs + 1;
  return Array.from({ length: count }, (_, number) => utcDay(new Date(start + number * dayMs)));
}

/** Returns the UTC day that an instant begins or ends, or undefined for any other instant. */
export function plainDay(instant: Date): string | undefined {
  const intoDay = ((instant.getTime() % dayMs) + dayMs) % dayMs;
  return intoDay === 0 || intoDay === dayMs - 1 ? utcDay(instant) : undefined;
}

/** Returns the day on which an instant falls in an IANA time zone, between the years 1 and 9999. */
export function dayIn(timeZone: string, instant: Date): string {
  // Intl formats 1 BC like year 1.
  if (instant.getTime() < Date.parse(firstDay) + dayMs) return firstDay;
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  );
  const year = parts.get("year")!.padStart(4, "0");
  return year.length > 4 ? "9999-12-31" : `${year}-${parts.get("month")}-${parts.get("day")}`;
}

const firstDay = "0001-01-01";

const formatOf = (timeZone: string) =>
  new Intl.DateTimeFormat("en", {
    timeZone,
    calendar: "iso8601",
    numberingSystem: "latn",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });
