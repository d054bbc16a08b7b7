import { describe, expect, it } from "vitest";
import { addDays, zonedDay, monthsUntil, zonedDayStart } from "./zoned-day.ts";

describe("days in a time zone", () => {
  it.each([
    ["2026-03-08", "America/New_York", "2026-03-08T05:00:00.000Z"],
    ["2026-03-09", "America/New_York", "2026-03-09T04:00:00.000Z"],
    ["2026-10-25", "Europe/London", "2026-10-24T23:00:00.000Z"],
    ["2026-10-26", "Europe/London", "2026-10-26T00:00:00.000Z"],
    ["2026-01-01", "Asia/Kathmandu", "2025-12-31T18:15:00.000Z"],
  ])("starts %s in %s at %s", (day, timeZone, instant) => {
    expect(zonedDayStart(day, timeZone).toISOString()).toBe(instant);
    expect(zonedDay(new Date(instant), timeZone)).toBe(day);
  });

  it("lists months across a year", () => {
    expect(addDays("2026-02-28", 1)).toBe("2026-03-01");
    expect(monthsUntil("2026-01-31", 2)).toEqual([
      { first: "2025-12-01", last: "2025-12-31" },
      { first: "2026-01-01", last: "2026-01-31" },
    ]);
  });
});
