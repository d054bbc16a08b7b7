const dayMilliseconds = 24 * 60 * 60 * 1000;

/** The calendar day of an instant, in UTC, as `YYYY-MM-DD`. Such days compare as texts. */
export const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10);

/** The day so many days later, or earlier where it is negative. */
export function addDays(day: string, count: number): string {
  return dayOf(new Date(Date.parse(day) + count * dayMilliseconds));
}

/** Every day after the first up to the last one, which is among them. */
export function* daysAfter(first: string, last: string): Generator<string> {
  for (let day = addDays(first, 1); day <= last; day = addDays(day, 1)) yield day;
}

/** 0 is Sunday. */
export const weekdayOf = (day: string): number => new Date(Date.parse(day)).getUTCDay();

export const isLastOfMonth = (day: string): boolean => addDays(day, 1).endsWith("-01");
