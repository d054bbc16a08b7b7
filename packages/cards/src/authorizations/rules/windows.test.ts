import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CalendarInterval, windowEnd, windowsAt } from "./windows.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Difficult clock changes: the zone, and the instant of the change. */
const changes: [timeZone: string, at: string][] = [
  ["Europe/London", "2026-03-29T01:00:00Z"],
  ["Europe/London", "2026-10-25T01:00:00Z"],
  ["America/New_York", "2026-03-08T07:00:00Z"],
  ["America/New_York", "2026-11-01T06:00:00Z"],
  // Midnight is skipped.
  ["America/Sao_Paulo", "2018-11-04T03:00:00Z"],
  ["Africa/Cairo", "2023-04-27T22:00:00Z"],
  ["Asia/Beirut", "2022-03-26T22:00:00Z"],
  ["America/Santiago", "2022-09-11T04:00:00Z"],
  ["America/Havana", "2024-03-10T05:00:00Z"],
  // Midnight comes twice: an hour of the old day is repeated.
  ["America/Sao_Paulo", "2018-02-18T02:00:00Z"],
  ["Africa/Cairo", "2023-10-26T21:00:00Z"],
  ["America/Santiago", "2023-04-02T03:00:00Z"],
  // One minute of the new day, and then the old day again.
  ["America/St_Johns", "2006-10-29T02:31:00Z"],
  // A whole day is skipped, and a whole day comes twice.
  ["Pacific/Apia", "2011-12-30T10:00:00Z"],
  ["Pacific/Kiritimati", "1994-12-31T10:00:00Z"],
  ["Pacific/Kwajalein", "1993-08-21T12:00:00Z"],
  ["America/Juneau", "1867-10-19T00:31:13Z"],
  // Half an hour, a quarter of an hour, two hours, some seconds.
  ["Australia/Lord_Howe", "2026-04-04T15:00:00Z"],
  ["Australia/Lord_Howe", "2026-10-03T15:30:00Z"],
  ["Asia/Kathmandu", "1985-12-31T18:30:00Z"],
  ["Antarctica/Troll", "2026-03-29T01:00:00Z"],
  ["Europe/London", "1847-12-01T00:01:15Z"],
  // There and back within a week, the shortest distance between changes in Intl's data.
  ["America/Recife", "2000-10-08T03:00:00Z"],
  ["America/Recife", "2000-10-15T02:00:00Z"],
];

const aChange = fc.constantFrom(...changes);
const anInterval = fc.constantFrom<CalendarInterval>("DAILY", "WEEKLY", "MONTHLY", "YEARLY");
const aZone = fc.constantFrom("UTC", ...Intl.supportedValuesOf("timeZone"));
const anInstant = fc.oneof(
  fc.date({ min: new Date("1840-01-01"), max: new Date("2100-01-01"), noInvalidDate: true }),
  fc.date({ min: new Date("0001-01-03"), max: new Date("9998-12-29"), noInvalidDate: true }),
);

/** The calendar fields as Intl shows them: slow, and without offset arithmetic. */
function shown(instant: number, timeZone: string) {
  const parts = calendar(timeZone).formatToParts(instant);
  const part = (type: string) => parts.find((candidate) => candidate.type === type)?.value ?? "";
  const date = `${part("year").padStart(4, "0")}-${part("month")}-${part("day")}`;
  const dayOfWeek = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"].indexOf(part("weekday"));
  const monday = new Date(Date.parse(date) - ((dayOfWeek + 6) % 7) * day);
  const [week, month, year] = [
    monday.toISOString().slice(0, 10),
    `${date.slice(0, 8)}01`,
    `${date.slice(0, 5)}01-01`,
  ];
  return { day: date, week, month, year, dayOfWeek };
}

const calendars = new Map<string, Intl.DateTimeFormat>();

function calendar(timeZone: string): Intl.DateTimeFormat {
  const format =
    calendars.get(timeZone) ??
    new Intl.DateTimeFormat("en", {
      timeZone,
      weekday: "short",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
    });
  calendars.set(timeZone, format);
  return format;
}

const fields = { DAILY: "day", WEEKLY: "week", MONTHLY: "month", YEARLY: "year" } as const;

/** Expects the window to change exactly at the end. */
function expectEnd(interval: CalendarInterval, instant: number, timeZone: string): void {
  const window = (at: number) => shown(at, timeZone)[fields[interval]];
  const end = windowEnd(interval, new Date(instant), timeZone).getTime();
  const now = window(instant);
  const message = `${interval} of ${new Date(instant).toISOString()} in ${timeZone}`;
  expect(window(end) > now, message).toBe(true);
  expect(window(end - 1) <= now, message).toBe(true);
  const earlier: number[] = [];
  for (let at = end - minute; at > Math.max(instant, end - 3 * hour); at -= minute) earlier.push(at);
  for (let at = end - 3 * hour; at > Math.max(instant, end - 40 * day); at -= 3 * hour) earlier.push(at);
  expect(
    earlier.filter((at) => window(at) > now),
    message,
  ).toEqual([]);
}

describe("windowsAt", () => {
  it.each(changes)("agrees with the calendar in %s, each minute around %s", (timeZone, at) => {
    const wrong: string[] = [];
    for (let instant = Date.parse(at) - 13 * hour; instant < Date.parse(at) + 13 * hour; instant += minute) {
      const { day: date, dayOfWeek } = windowsAt(new Date(instant), timeZone);
      const expected = shown(instant, timeZone);
      if (date !== expected.day || dayOfWeek !== expected.dayOfWeek)
        wrong.push(new Date(instant).toISOString());
    }
    expect(wrong).toEqual([]);
  });

  it("agrees with the calendar in every zone", { tags: ["slow"] }, () => {
    fc.assert(
      fc.property(aZone, anInstant, (timeZone, instant) => {
        expect(windowsAt(instant, timeZone)).toEqual(shown(instant.getTime(), timeZone));
      }),
      { numRuns: 1000 },
    );
  });

  it("is right for more zones and days than fit into the cache, in any order", () => {
    const all = Intl.supportedValuesOf("timeZone");
    const wrong = all.flatMap((_, index) => {
      const timeZone = all[(index * 7) % all.length] ?? "UTC";
      return [0, 200, 1, 400].flatMap((days) => {
        const instant = Date.parse("2026-03-29T00:59:59.999Z") + days * day;
        const same = windowsAt(new Date(instant), timeZone).day === shown(instant, timeZone).day;
        return same ? [] : [timeZone];
      });
    });
    expect(wrong).toEqual([]);
    for (let days = 0; days < 1500; days += 1) {
      const date = new Date(Date.parse("2026-01-01") + days * day);
      expect(windowsAt(date, "UTC").day).toBe(date.toISOString().slice(0, 10));
    }
  });

  it.each([
    ["2026-02-28T23:59:59.999Z", "UTC", "2026-02-28", "2026-02-23", "2026-02-01", 6],
    ["2026-03-01T00:00:00.000Z", "UTC", "2026-03-01", "2026-02-23", "2026-03-01", 0],
    ["2026-03-02T00:00:00.000Z", "UTC", "2026-03-02", "2026-03-02", "2026-03-01", 1],
    ["2024-02-29T12:00:00.000Z", "UTC", "2024-02-29", "2024-02-26", "2024-02-01", 4],
    ["1969-12-31T23:59:59.999Z", "UTC", "1969-12-31", "1969-12-29", "1969-12-01", 3],
    // In summer London's day begins while UTC still has the day before.
    ["2026-06-30T22:59:59.999Z", "Europe/London", "2026-06-30", "2026-06-29", "2026-06-01", 2],
    ["2026-06-30T23:00:00.000Z", "Europe/London", "2026-07-01", "2026-06-29", "2026-07-01", 3],
    ["2026-01-01T04:59:59.999Z", "America/New_York", "2025-12-31", "2025-12-29", "2025-12-01", 3],
    ["2026-01-01T18:14:59.999Z", "Asia/Kathmandu", "2026-01-01", "2025-12-29", "2026-01-01", 4],
    ["2026-01-01T18:15:00.000Z", "Asia/Kathmandu", "2026-01-02", "2025-12-29", "2026-01-01", 5],
    ["2011-12-30T09:59:59.999Z", "Pacific/Apia", "2011-12-29", "2011-12-26", "2011-12-01", 4],
    ["2011-12-30T10:00:00.000Z", "Pacific/Apia", "2011-12-31", "2011-12-26", "2011-12-01", 6],
    // The calendar covers the years 1 to 9999, in every zone.
    ["0001-01-01T00:00:00.000Z", "UTC", "0001-01-01", "0001-01-01", "0001-01-01", 1],
    ["0001-01-01T00:00:00.000Z", "America/New_York", "0001-01-01", "0001-01-01", "0001-01-01", 1],
    ["9999-12-31T23:59:59.999Z", "Asia/Tokyo", "9999-12-31", "9999-12-27", "9999-12-01", 5],
  ])("%s in %s is %s, in the week of %s", (instant, timeZone, date, week, month, dayOfWeek) => {
    expect(windowsAt(new Date(instant), timeZone)).toEqual({
      day: date,
      week,
      month,
      year: `${month.slice(0, 4)}-01-01`,
      dayOfWeek,
    });
  });

  it("throws RangeError for an unknown zone and an invalid date", () => {
    expect(() => windowsAt(new Date(0), "Europe/Atlantis")).toThrow(RangeError);
    expect(() => windowsAt(new Date(Number.NaN), "UTC")).toThrow(RangeError);
  });
});

describe("windowEnd", () => {
  it("is the first instant of a later window, near changes of clocks", { tags: ["slow"] }, () => {
    fc.assert(
      fc.property(
        anInterval,
        aChange,
        fc.integer({ min: -2 * day, max: 2 * day }),
        (interval, change, by) => {
          const [timeZone, at] = change;
          expectEnd(interval, Date.parse(at) + by, timeZone);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("is the first instant of a later window, in every zone", { tags: ["slow"] }, () => {
    fc.assert(
      fc.property(anInterval, aZone, anInstant, (interval, timeZone, instant) => {
        expectEnd(interval, instant.getTime(), timeZone);
      }),
      { numRuns: 300 },
    );
  });

  it.each<[CalendarInterval, string, string, string]>([
    ["DAILY", "2026-03-01T00:00:00.000Z", "UTC", "2026-03-02T00:00:00.000Z"],
    ["WEEKLY", "2026-03-01T23:59:59.999Z", "UTC", "2026-03-02T00:00:00.000Z"],
    ["WEEKLY", "2026-03-02T00:00:00.000Z", "UTC", "2026-03-09T00:00:00.000Z"],
    ["MONTHLY", "2026-12-31T00:00:00.000Z", "UTC", "2027-01-01T00:00:00.000Z"],
    ["MONTHLY", "2024-02-29T00:00:00.000Z", "UTC", "2024-03-01T00:00:00.000Z"],
    ["YEARLY", "2026-12-31T23:59:59.999Z", "UTC", "2027-01-01T00:00:00.000Z"],
    ["YEARLY", "2024-02-29T00:00:00.000Z", "Asia/Tokyo", "2024-12-31T15:00:00.000Z"],
    ["YEARLY", "9999-06-01T00:00:00.000Z", "UTC", "9999-12-31T23:59:59.999Z"],
    // Days of 23 and of 25 hours, and the weeks and months that contain them.
    ["DAILY", "2026-03-29T00:00:00.000Z", "Europe/London", "2026-03-29T23:00:00.000Z"],
    ["DAILY", "2026-10-24T23:00:00.000Z", "Europe/London", "2026-10-26T00:00:00.000Z"],
    ["WEEKLY", "2026-03-24T12:00:00.000Z", "Europe/London", "2026-03-29T23:00:00.000Z"],
    ["MONTHLY", "2026-03-01T00:00:00.000Z", "Europe/London", "2026-03-31T23:00:00.000Z"],
    ["DAILY", "2026-03-08T05:00:00.000Z", "America/New_York", "2026-03-09T04:00:00.000Z"],
    ["DAILY", "2026-11-01T04:00:00.000Z", "America/New_York", "2026-11-02T05:00:00.000Z"],
    ["MONTHLY", "2026-11-01T03:59:59.999Z", "America/New_York", "2026-11-01T04:00:00.000Z"],
    // 4 November 2018 began at 01:00; on 17 February an hour before midnight came twice.
    ["DAILY", "2018-11-03T12:00:00.000Z", "America/Sao_Paulo", "2018-11-04T03:00:00.000Z"],
    ["DAILY", "2018-11-04T03:00:00.000Z", "America/Sao_Paulo", "2018-11-05T02:00:00.000Z"],
    ["DAILY", "2018-02-17T12:00:00.000Z", "America/Sao_Paulo", "2018-02-18T03:00:00.000Z"],
    // Samoa had no 30 December 2011.
    ["DAILY", "2011-12-29T12:00:00.000Z", "Pacific/Apia", "2011-12-30T10:00:00.000Z"],
    ["DAILY", "2011-12-30T10:00:00.000Z", "Pacific/Apia", "2011-12-31T10:00:00.000Z"],
    ["WEEKLY", "2011-12-29T12:00:00.000Z", "Pacific/Apia", "2012-01-01T10:00:00.000Z"],
    ["DAILY", "2026-01-01T00:00:00.000Z", "Asia/Kathmandu", "2026-01-01T18:15:00.000Z"],
    ["DAILY", "2026-04-04T13:00:00.000Z", "Australia/Lord_Howe", "2026-04-05T13:30:00.000Z"],
    ["DAILY", "2026-10-03T13:30:00.000Z", "Australia/Lord_Howe", "2026-10-04T13:00:00.000Z"],
    // In Newfoundland 29 October 2006 lasted for a minute before it was the 28th again.
    ["DAILY", "2006-10-29T02:29:59.999Z", "America/St_Johns", "2006-10-29T02:30:00.000Z"],
    ["DAILY", "2006-10-29T02:30:00.000Z", "America/St_Johns", "2006-10-30T03:30:00.000Z"],
    ["DAILY", "2006-10-29T02:31:00.000Z", "America/St_Johns", "2006-10-29T03:30:00.000Z"],
    // No end lies beyond the last instant of a Date.
    ["DAILY", "0001-01-01T00:00:00.000Z", "UTC", "0001-01-02T00:00:00.000Z"],
    ["MONTHLY", "0099-12-31T00:00:00.000Z", "UTC", "0100-01-01T00:00:00.000Z"],
    ["DAILY", "9999-12-31T12:00:00.000Z", "America/New_York", "9999-12-31T23:59:59.999Z"],
    ["MONTHLY", "9999-12-31T23:59:59.999Z", "Asia/Tokyo", "9999-12-31T23:59:59.999Z"],
  ])("%s from %s in %s is %s", (interval, instant, timeZone, end) => {
    expect(windowEnd(interval, new Date(instant), timeZone).toISOString()).toBe(end);
  });
});
