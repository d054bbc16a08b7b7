import type { Clock } from "@purser/core";

/** Less is within the error of a measurement, and correcting it would let time go back and forth. */
const toleranceMs = 100;

/**
 * The database's time, which all processes share. A process whose own clock is days ahead would otherwise take the work of
 * living processes, and delete what has not expired. Between measurements it follows the monotonic clock, which no
 * operator and no NTP server can move. Before the first measurement it shows the time of the machine at the start.
 */
export class DatabaseClock implements Clock {
  /** The instant at which `performance.now()` was 0. */
  #originMs = performance.timeOrigin;

  now(): Date {
    return new Date(this.#originMs + performance.now());
  }

  /** Takes what the database answered to a question that was sent and answered at these times of `performance.now()`. */
  measure(databaseMs: number, sentAt: number, answeredAt: number): void {
    const originMs = databaseMs - (sentAt + answeredAt) / 2;
    const errorMs = (answeredAt - sentAt) / 2 + toleranceMs;
    if (Math.abs(originMs - this.#originMs) > errorMs) this.#originMs = originMs;
  }
}
