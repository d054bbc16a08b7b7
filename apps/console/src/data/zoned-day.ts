/** The calendar day of an instant in a time zone, such as "2026-03-01". */
export function zonedDay(instant: Date, timeZone: string): string {
  return new Intl.DateTimeFormat("en-CA", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  }).format(instant);
}

/** The end of the days that people may choose. Without it, browsers let them write years of six digits. */
export const maxDay = "9999-12-30";

/** Whether a text is a day that people may choose. While they write a year, it begins with zeros. */
export const isDay = (text: string): boolean =>
  /^[1-9]\d{3}-\d\d-\d\d$/.test(text) && text <= maxDay && !Number.isNaN(Date.parse(text));

/** The instant at which a calendar day starts in a time zone. */
export function zonedDayStart(day: string, timeZone: string): Date {
  const utc = new Date(`${day}T00:00:00Z`).getTime();
  // Where the clocks change at about that time, midnight is in one of two offsets, in both, or in none.
  const possible = [utc - dayMs, utc + dayMs].map((near) => utc - offsetAt(near, timeZone));
  const midnights = possible.filter((instant) => instant + offsetAt(instant, timeZone) === utc);
  // In none, the clocks go forward at midnight, which in the offset before is the moment of the change.
  return new Date(midnights.length > 0 ? Math.min(...midnights) : Math.max(...possible));
}

const dayMs = 86_400_000;

/** The day after, or a number of days after it. */
export function addDays(day: string, days: number): string {
  return new Date(new Date(`${day}T00:00:00Z`).getTime() + days * dayMs).toISOString().slice(0, 10);
}

/** The months up to the one of a day, the oldest first, each with its first and last day. */
export function monthsUntil(day: string, count: number): { first: string; last: string }[] {
  const [year = 0, month = 1] = day.split("-").map(Number);
  return Array.from({ length: count }, (_, index) => {
    const at = (months: number, date: number) =>
      new Date(Date.UTC(year, month - 1 + months, date)).toISOString().slice(0, 10);
    const before = index - count + 1;
    return { first: at(before, 1), last: at(before + 1, 0) };
  });
}

function offsetAt(instant: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }).formatToParts(instant);
  const part = (type: string) => Number(parts.find((found) => found.type === type)?.value);
  const local = Date.UTC(
    part("year"),
    part("month") - 1,
    part("day"),
    part("hour"),
    part("minute"),
    part("second"),
  );
  return local - instant;
}
