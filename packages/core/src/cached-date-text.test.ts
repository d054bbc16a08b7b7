import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cachedDateText } from "./cached-date-text.ts";
import { dateText } from "./wire.ts";

describe("cachedDateText", () => {
  it("returns what dateText does for every date", () => {
    const alike = fc.property(fc.date({ noInvalidDate: false }), (date) => {
      expect(cachedDateText(date)).toBe(dateText(date));
    });
    fc.assert(alike, { numRuns: 2000 });
  });

  it.each([
    ["the earliest date", -8.64e15],
    ["the last date", 8.64e15],
    ["the last millisecond of a year before 0", Date.UTC(-1, 11, 31, 23, 59, 59, 999)],
    ["the first one of the year 10,000", Date.UTC(10_000, 0, 1)],
    ["the millisecond before 1970", -1],
    ["a leap day", Date.UTC(2024, 1, 29, 12)],
    ["no date", Number.NaN],
  ])("returns it for %s", (_what, instant) => {
    expect(cachedDateText(new Date(instant))).toBe(dateText(new Date(instant)));
  });

  it("returns it for more days than it keeps, and for the first of them again", () => {
    const dates = Array.from({ length: 5000 }, (_, day) => new Date(Date.UTC(2020, 0, day, 1, 2, 3, 4)));
    for (const date of [...dates, dates[0]!]) expect(cachedDateText(date)).toBe(dateText(date));
  });
});
