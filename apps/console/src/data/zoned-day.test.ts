import { describe, expect, it } from "vitest";
import { addDays, isDay, maxDay, monthsUntil, zonedDay, zonedDayStart } from "./zoned-day.ts";

describe("days in a time zone", () => {
  it.each([
    ["2026-03-08", "America/New_York", "2026-03-08T05:00:00.000Z"],
    ["2026-03-09", "America/New_York", "2026-03-09T04:00:00.000Z"],
    ["2026-10-25", "Europe/London", "2026-10-24T23:00:00.000Z"],
    ["2026-10-26", "Europe/London", "2026-10-26T00:00:00.000Z"],
    ["2026-01-01", "Asia/Kathmandu", "2025-12-31T18:15:00.000Z"],
    ["2026-03-01", "Pacific/Auckland", "2026-02-28T11:00:00.000Z"],
    ["2026-03-01", "Pacific/Kiritimati", "2026-02-28T10:00:00.000Z"],
    ["2026-03-01", "Pacific/Pago_Pago", "2026-03-01T11:00:00.000Z"],
    // The day after the clocks changed, and the day before.
    ["2026-04-06", "Pacific/Auckland", "2026-04-05T12:00:00.000Z"],
    ["2026-09-27", "Pacific/Auckland", "2026-09-26T12:00:00.000Z"],
    // The clocks go forward at midnight, so the day starts at one.
    ["2026-09-06", "America/Santiago", "2026-09-06T04:00:00.000Z"],
    ["2026-03-08", "America/Havana", "2026-03-08T05:00:00.000Z"],
    // They go back to midnight, so midnight comes twice.
    ["2026-11-01", "America/Havana", "2026-11-01T04:00:00.000Z"],
    // They go back from midnight, so the day before has 25 hours.
    ["2026-04-05", "America/Santiago", "2026-04-05T04:00:00.000Z"],
  ])("starts %s in %s at %s", (day, timeZone, instant) => {
    expect(zonedDayStart(day, timeZone).toISOString()).toBe(instant);
    expect(zonedDay(new Date(instant), timeZone)).toBe(day);
  });

  it.each([
    ["2026-03-01", true],
    [maxDay, true],
    ["", false],
    ["2026-02-31x", false],
    ["2026-13-01", false],
    // What a field holds while somebody writes a year, or a digit too many.
    ["0202-03-01", false],
    ["12026-03-01", false],
  ])("knows whether people may choose the day %j: %j", (text, expected) => {
    expect(isDay(text)).toBe(expected);
  });

  it("starts the day after the last one that people may choose", () => {
    for (const timeZone of ["Pacific/Kiritimati", "Pacific/Pago_Pago"])
      expect(zonedDay(zonedDayStart(addDays(maxDay, 1), timeZone), timeZone)).toBe("9999-12-31");
  });

  it("lists months across a year", () => {
    expect(addDays("2026-02-28", 1)).toBe("2026-03-01");
    expect(monthsUntil("2026-01-31", 2)).toEqual([
      { first: "2025-12-01", last: "2025-12-31" },
      { first: "2026-01-01", last: "2026-01-31" },
    ]);
  });
});
