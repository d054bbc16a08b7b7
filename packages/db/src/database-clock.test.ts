import { beforeEach, describe, expect, it } from "vitest";
import { DatabaseClock } from "./database-clock.ts";

const day = 86_400_000;

let clock: DatabaseClock;
beforeEach(() => (clock = new DatabaseClock()));

/** What `read` returns, and the time of this machine at that moment: again if this process stood still in between. */
function atOnce<Value>(read: () => Value): { value: Value; at: number } {
  for (;;) {
    const at = Date.now();
    const value = read();
    if (Date.now() - at <= 1) return { value, at };
  }
}

/** How far the clock is ahead of this machine, rounded to 20 milliseconds. */
function aheadMs(): number {
  const { value, at } = atOnce(() => clock.now().getTime());
  return Math.round((value - at) / 20) * 20 + 0;
}

/** The database answers after this time that it is so far ahead of this machine. */
function answer(offsetMs: number, roundTripMs = 2): void {
  const { value: now, at } = atOnce(() => performance.now());
  clock.measure(at + offsetMs - roundTripMs / 2, now - roundTripMs, now);
}

describe("DatabaseClock", () => {
  it("shows the machine's time before the first measurement", () => {
    expect(aheadMs()).toBe(0);
  });

  it("follows the database in both directions", () => {
    for (const offset of [8 * day, -8 * day, 1000, 0]) {
      answer(offset);
      expect(aheadMs()).toBe(offset);
    }
  });

  it("keeps its time while the database agrees within the error of the measurement", () => {
    for (const [offset, roundTrip] of [
      [80, 2],
      [-80, 2],
      [1000, 2000],
    ] as const) {
      answer(offset, roundTrip);
      expect(aheadMs()).toBe(0);
    }
  });

  it("shows whole milliseconds that never go back between measurements", () => {
    const instants = Array.from({ length: 1000 }, () => clock.now().getTime());
    expect(instants).toEqual(instants.toSorted((one, other) => one - other));
    expect(instants.every((instant) => Number.isInteger(instant))).toBe(true);
  });
});
