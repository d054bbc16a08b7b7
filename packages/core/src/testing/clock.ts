import type { Clock } from "../clock.ts";
import { dayMs } from "../day.ts";

/** A clock that is stopped until a test moves it. */
export interface TestClock extends Clock {
  set(instant: Date | string): void;
  advance(milliseconds: number): void;
}

/** Creates a clock that shows `start`. */
export function testClock(start: Date | string = "2026-03-02T09:00:00.000Z"): TestClock {
  let present = new Date(start).getTime();
  return {
    now: () => new Date(present),
    set: (instant) => {
      present = new Date(instant).getTime();
    },
    advance: (milliseconds) => {
      present += milliseconds;
    },
  };
}

/** In milliseconds, as `advance` of a clock takes it. So are an hour and a day. */
export const minute = 60_000;
export const hour = 60 * minute;
export const day = dayMs;
