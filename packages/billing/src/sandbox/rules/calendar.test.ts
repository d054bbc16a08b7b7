import { describe, expect, it } from "vitest";
import { type Interval, periodEnd } from "./calendar.ts";

const month: Interval = { interval: "month", interval_count: 1 };
const quarter: Interval = { interval: "month", interval_count: 3 };
const year: Interval = { interval: "year", interval_count: 1 };

/** The ends of the first periods from the anchor. */
function ends(anchor: string, interval: Interval, periods: number): string[] {
  const dates: string[] = [];
  let start = new Date(anchor);
  for (let period = 1; period <= periods; period += 1) {
    start = periodEnd(new Date(anchor), start, interval);
    dates.push(start.toISOString().slice(0, 10));
  }
  return dates;
}

describe("periodEnd", () => {
  it.each([
    ["2026-01-15", month, ["2026-02-15", "2026-03-15", "2026-04-15"]],
    // The last day of a shorter month, and the 31st again where it exists.
    ["2026-01-31", month, ["2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31"]],
    ["2028-01-30", month, ["2028-02-29", "2028-03-30"]],
    ["2026-11-30", month, ["2026-12-30", "2027-01-30", "2027-02-28", "2027-03-30"]],
    ["2026-12-31", month, ["2027-01-31", "2027-02-28"]],
    ["2026-11-30", quarter, ["2027-02-28", "2027-05-30", "2027-08-30"]],
    ["2026-03-01", year, ["2027-03-01", "2028-03-01"]],
    ["2028-02-29", year, ["2029-02-28", "2030-02-28", "2031-02-28", "2032-02-29"]],
  ])("counts from the anchor %s by %o", (anchor, interval, expected) => {
    expect(ends(anchor, interval, expected.length)).toEqual(expected);
  });

  it("keeps the time of day", () => {
    const anchor = new Date("2026-01-31T23:59:59.999Z");
    expect(periodEnd(anchor, anchor, month)).toEqual(new Date("2026-02-28T23:59:59.999Z"));
  });
});
