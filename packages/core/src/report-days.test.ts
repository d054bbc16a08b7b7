import { describe, expect, it } from "vitest";
import { checkReportLength, dayIn, eachDay, reportDays } from "./report-days.ts";

const now = new Date("2026-03-10T12:00:00Z");
const range = (from: string, to: string) => ({ from: new Date(from), to: new Date(to) });

describe("the day of an instant", () => {
  it.each([
    ["UTC", "2026-03-01T00:00:00.000Z", "2026-03-01"],
    ["America/New_York", "2026-03-01T04:59:59.999Z", "2026-02-28"],
    ["America/New_York", "2026-03-01T05:00:00.000Z", "2026-03-01"],
    // An hour earlier after the change to daylight saving time.
    ["America/New_York", "2026-03-09T04:00:00.000Z", "2026-03-09"],
    ["Pacific/Apia", "2011-12-30T10:00:00.000Z", "2011-12-31"],
    ["Asia/Kathmandu", "2026-03-01T18:15:00.000Z", "2026-03-02"],
    // Before 1582 too, the calendar is the one in which dates are written.
    ["UTC", "1500-03-01T00:00:00.000Z", "1500-03-01"],
    ["America/New_York", "0001-01-01T00:00:00.000Z", "0001-01-01"],
    ["Asia/Tokyo", "9999-12-31T23:59:59.999Z", "9999-12-31"],
  ])("in %s, %s is on %s", (timeZone, instant, expected) => {
    expect(dayIn(timeZone, new Date(instant))).toBe(expected);
  });
});

describe("the days of a report", () => {
  it.each([
    ["plain days", "2026-03-01T00:00:00.000Z", "2026-03-02T23:59:59.999Z", "2026-03-01", "2026-03-02"],
    [
      "a day of the ledger",
      "2026-03-01T00:00:00.000Z",
      "2026-03-01T00:00:00.000Z",
      "2026-03-01",
      "2026-03-01",
    ],
    ["local midnights", "2026-03-01T05:00:00.000Z", "2026-03-03T04:59:59.000Z", "2026-03-01", "2026-03-02"],
    [
      "the end in the future",
      "2026-03-01T00:00:00.000Z",
      "2030-01-01T00:00:00.000Z",
      "2026-03-01",
      "2026-03-10",
    ],
  ])("are those of %s", (_, from, to, first, last) => {
    expect(reportDays(range(from, to), "America/New_York", now)).toEqual({ first, last });
  });

  it("are none if the report begins after today", () => {
    expect(reportDays(range("2026-03-11T00:00:00Z", "2026-03-12T00:00:00Z"), "UTC", now)).toBeNull();
    // There it is tomorrow already.
    expect(
      reportDays(range("2026-03-11T00:00:00Z", "2026-03-12T00:00:00Z"), "Pacific/Kiritimati", now),
    ).toEqual({
      first: "2026-03-11",
      last: "2026-03-11",
    });
  });

  it("are at most 731, both ends included, until today", () => {
    const longest = reportDays(range("2024-03-10T00:00:00Z", "2026-03-10T00:00:00Z"), "UTC", now);
    expect(eachDay(longest!)).toHaveLength(731);
    expect(eachDay(longest!)[354]).toBe("2025-02-27");
    expect(() => reportDays(range("2024-03-09T00:00:00Z", "2030-01-01T00:00:00Z"), "UTC", now)).toThrow(
      "not valid",
    );
  });
});

describe("the length of a report", () => {
  const check = (from: string, to: string) => () => checkReportLength(range(from, to), now);

  it("is refused where it is over 731 days in every time zone", () => {
    expect(check("2024-01-01T00:00:00Z", "2026-01-01T00:00:00Z")).toThrow("not valid");
    expect(check("2024-01-01T00:00:00Z", "2025-12-31T00:00:00Z")).not.toThrow();
  });

  it("is left to the organization's time zone where that decides", () => {
    // In New York, 731 days; in London, 732.
    const ofNewYork = ["2024-01-01T05:00:00Z", "2026-01-01T04:59:59Z"] as const;
    expect(check(...ofNewYork)).not.toThrow();
    expect(reportDays(range(...ofNewYork), "America/New_York", now)).not.toBeNull();
    expect(() => reportDays(range(...ofNewYork), "Europe/London", now)).toThrow("not valid");
    expect(check("2024-01-01T12:34:56Z", "2026-01-04T12:34:56Z")).toThrow("not valid");
  });

  it("counts an end in the future as today, where that day begins last", () => {
    expect(check("2024-03-10T00:00:00Z", "2030-01-01T00:00:00Z")).not.toThrow();
    expect(check("2024-03-08T00:00:00Z", "2030-01-01T00:00:00Z")).toThrow("not valid");
    expect(check("2027-01-01T00:00:00Z", "2030-01-01T00:00:00Z")).not.toThrow();
  });
});
