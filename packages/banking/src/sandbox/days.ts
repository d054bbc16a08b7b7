import { addToDay } from "@purser/core";

/** The days after the first one, up to and including the last one. */
export function* daysAfter(first: string, last: string): Generator<string> {
  for (let day = addToDay(first, 1); day <= last; day = addToDay(day, 1)) yield day;
}

/** The day of the week. 0 is Sunday. */
export const weekdayOf = (day: string): number => new Date(Date.parse(day)).getUTCDay();

export const isLastOfMonth = (day: string): boolean => addToDay(day, 1).endsWith("-01");
