/** The one source of time. Everything stored or decided upon asks it, so that a test can stop and move time. */
export interface Clock {
  /** The present instant, in whole milliseconds. */
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
