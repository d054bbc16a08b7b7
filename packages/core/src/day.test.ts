import { describe, expect, it } from "vitest";
import { addMs, addToDay, dayMs, utcDay } from "./day.ts";

describe("a day", () => {
  it.each([
    ["2026-03-01T00:00:00.000Z", "2026-03-01"],
    ["2026-03-01T23:59:59.999Z", "2026-03-01"],
    ["2026-03-01T23:30:00-05:00", "2026-03-02"],
    ["0001-01-01T00:00:00.000Z", "0001-01-01"],
  ])("of the instant %s is %s in UTC", (instant, day) => {
    expect(utcDay(new Date(instant))).toBe(day);
  });

  it.each([
    ["2026-02-28", 1, "2026-03-01"],
    ["2028-02-28", 1, "2028-02-29"],
    ["2026-01-01", -1, "2025-12-31"],
    ["2026-03-29", 365, "2027-03-29"],
    ["2026-03-29", 0, "2026-03-29"],
  ])("%s plus %i days is %s", (day, days, sum) => {
    expect(addToDay(day, days)).toBe(sum);
  });
});

it("an instant plus milliseconds is another instant, later or earlier", () => {
  const instant = new Date("2026-03-01T23:30:00.000Z");
  expect(addMs(instant, dayMs)).toEqual(new Date("2026-03-02T23:30:00.000Z"));
  expect(addMs(instant, -1)).toEqual(new Date("2026-03-01T23:29:59.999Z"));
  expect(instant).toEqual(new Date("2026-03-01T23:30:00.000Z"));
});
