import { type TestClock, testClock } from "@purser/core/testing";
import { vi } from "vitest";

let open = 0;

/**
 * Stops the process's `Date` and returns it as a test clock.
 * better-auth reads the time from `Date`, not from our clock port, so both must show the same instant.
 * All open clocks of a test file share one time. Call `release` when the test is over.
 */
export function stopProcessTime(): { clock: TestClock; release(): void } {
  if (open === 0) vi.setSystemTime(testClock().now());
  open += 1;
  return {
    clock: {
      now: () => new Date(),
      set: (instant) => vi.setSystemTime(instant),
      advance: (milliseconds) => vi.setSystemTime(Date.now() + milliseconds),
    },
    release() {
      open -= 1;
      if (open === 0) vi.useRealTimers();
    },
  };
}
