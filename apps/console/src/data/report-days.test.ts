import { describe, expect, it } from "vitest";
import { rangeOfSpan, reportPeriods, spanOfDays } from "./report-days.ts";

describe("the days of a report", () => {
  it.each([
    ["this-month", "2026-01-31", "2026-01-01", "2026-01-31"],
    ["last-month", "2026-03-31", "2026-02-01", "2026-02-28"],
    ["last-month", "2026-01-01", "2025-12-01", "2025-12-31"],
    ["3-months", "2026-01-15", "2025-11-01", "2026-01-15"],
    ["year", "2026-01-15", "2025-02-01", "2026-01-15"],
  ] as const)("of %s until %s are %s to %s", (period, today, from, to) => {
    expect(reportPeriods[period].days(today)).toEqual({ from, to });
  });

  it("are sent as days of the calendar, which are the same in every time zone", () => {
    expect(rangeOfSpan(spanOfDays("2026-03-01", 1))).toEqual({
      from: new Date("2026-02-28T00:00:00.000Z"),
      to: new Date("2026-03-01T00:00:00.000Z"),
    });
  });
});
