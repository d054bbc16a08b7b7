// A day is written as YYYY-MM-DD. Such days compare as text.

/**
 * The milliseconds of a day of 24 hours.
 *
 * @example
 * addMs(clock.now(), -7 * dayMs); // a week ago
 */
export const dayMs = 86_400_000;

/**
 * Adds milliseconds to an instant. A negative number subtracts.
 *
 * @example
 * addMs(new Date("2026-03-01T23:30:00Z"), dayMs); // 2026-03-02T23:30:00Z
 */
export const addMs = (instant: Date, ms: number): Date => new Date(instant.getTime() + ms);

/**
 * Returns the UTC day of an instant.
 *
 * @example
 * utcDay(new Date("2026-03-01T23:30:00Z")); // "2026-03-01"
 */
export const utcDay = (instant: Date): string => instant.toISOString().slice(0, 10);

/**
 * Adds days to a day. A negative number subtracts.
 *
 * @example
 * addToDay("2026-02-28", 1); // "2026-03-01"
 */
export const addToDay = (day: string, days: number): string =>
  utcDay(new Date(Date.parse(day) + days * dayMs));
