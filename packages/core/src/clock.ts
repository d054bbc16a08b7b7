/** The only source of time, for everything that is stored or decided. A test replaces it to stop and move time. */
export interface Clock {
  /** Returns the present instant, in whole milliseconds. */
  now(): Date;
}

/** The clock of this machine. A running service takes its time from the database instead. */
export const systemClock: Clock = { now: () => new Date() };
