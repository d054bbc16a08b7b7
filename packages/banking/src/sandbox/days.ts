const dayMilliseconds = 24 * 60 * 60 * 1000;

/** The calendar day of an instant in UTC, as `YYYY-MM-DD`. Such days can be compared as strings. */
export const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10);

/** Adds days to a day. A negative number subtracts. */
export function addToDay(day: string, count: number): string {
  return dayOf(new Date(Date.parse(day) + count * dayMilliseconds));
}

/** The days after the first one, up to and including the last one. */
export function* daysAfter(first: string, last: string): Generator<string> {
  for (let day = addToDay(first, 1); day <= last; day = addToDay(day, 1)) yield day;
}

/** The day of the week. 0 is Sunday. */
export const weekdayOf = (day: string): number => new Date(Date.parse(day)).getUTCDay();

export const isLastOfMonth = (day: string): boolean => addToDay(day, 1).endsWith("-01");
