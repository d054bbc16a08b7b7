import type { LimitInterval } from "@purser/core";
import { describe, expect, it } from "vitest";
import { termsOf } from "../../policies/rules/terms.ts";
import { type DecidedCard, type DecidedPolicy, decidePurchase } from "./decide.ts";
import { type CalendarInterval, windowEnd, windowsAt } from "./windows.ts";

/** Windows with surprising bounds. */
const windows: [CalendarInterval, zone: string, start: string, end: string][] = [
  ["DAILY", "UTC", "2026-03-02T00:00Z", "2026-03-03T00:00Z"],
  // Days of 23 and of 25 hours.
  ["DAILY", "Europe/London", "2026-03-29T00:00Z", "2026-03-29T23:00Z"],
  ["DAILY", "Europe/London", "2026-10-24T23:00Z", "2026-10-26T00:00Z"],
  ["DAILY", "America/New_York", "2026-03-08T05:00Z", "2026-03-09T04:00Z"],
  ["DAILY", "Asia/Kathmandu", "2026-03-01T18:15Z", "2026-03-02T18:15Z"],
  // Midnight is skipped: the previous day lasts until the clock change.
  ["DAILY", "America/Santiago", "2022-09-10T04:00Z", "2022-09-11T04:00Z"],
  ["DAILY", "America/Santiago", "2022-09-11T04:00Z", "2022-09-12T03:00Z"],
  // The 30th is skipped.
  ["DAILY", "Pacific/Apia", "2011-12-29T10:00Z", "2011-12-30T10:00Z"],
  ["WEEKLY", "UTC", "2026-03-02T00:00Z", "2026-03-09T00:00Z"],
  ["WEEKLY", "Europe/London", "2026-03-23T00:00Z", "2026-03-29T23:00Z"],
  ["WEEKLY", "America/Los_Angeles", "2026-03-02T08:00Z", "2026-03-09T07:00Z"],
  ["MONTHLY", "UTC", "2028-02-01T00:00Z", "2028-03-01T00:00Z"],
  ["MONTHLY", "Pacific/Auckland", "2026-02-28T11:00Z", "2026-03-31T11:00Z"],
  ["MONTHLY", "Pacific/Auckland", "2026-03-31T11:00Z", "2026-04-30T12:00Z"],
  ["MONTHLY", "America/New_York", "2026-12-01T05:00Z", "2027-01-01T05:00Z"],
  ["YEARLY", "UTC", "2028-01-01T00:00Z", "2029-01-01T00:00Z"],
  ["YEARLY", "Pacific/Kiritimati", "2025-12-31T10:00Z", "2026-12-31T10:00Z"],
  ["YEARLY", "Europe/London", "2026-01-01T00:00Z", "2027-01-01T00:00Z"],
];

const fields = { DAILY: "day", WEEKLY: "week", MONTHLY: "month", YEARLY: "year" } as const;

describe("decidePurchase, in the calendar of an organization", () => {
  it.each(windows)("counts %s in %s from %s until just before %s", (interval, zone, start, end) => {
    const [first, next] = [new Date(start), new Date(end)];
    const window = windowsAt(first, zone)[fields[interval]];
    // A purchase at the start of the window has used up its limit.
    const decideAt = (instant: number) =>
      decideIn(
        zone,
        new Date(instant),
        { limits: [{ amount: 100, interval }] },
        { [interval]: { [window]: 100 } },
      );
    expect(decideAt(first.getTime() - 1)).toMatchObject({ outcome: "approved", resetsAt: first });
    expect(decideAt(first.getTime())).toMatchObject({ outcome: "declined", remaining: 0, resetsAt: next });
    expect(decideAt(next.getTime() - 1)).toMatchObject({ outcome: "declined", remaining: 0, resetsAt: next });
    expect(decideAt(next.getTime())).toMatchObject({ outcome: "approved", remaining: 100 });
  });

  it.each([
    ["UTC", "2026-03-01T23:59:59.999Z", "day_not_allowed"],
    ["UTC", "2026-03-02T00:00:00.000Z", null],
    ["Pacific/Auckland", "2026-03-01T10:59:59.999Z", "day_not_allowed"],
    ["Pacific/Auckland", "2026-03-01T11:00:00.000Z", null],
    ["America/Los_Angeles", "2026-03-02T07:59:59.999Z", "day_not_allowed"],
    ["America/Los_Angeles", "2026-03-02T08:00:00.000Z", null],
  ])("applies a policy for Mondays, in %s, at %s: %s", (zone, instant, reason) => {
    expect(decideIn(zone, new Date(instant), { daysOfWeek: [1] }).reason).toBe(reason);
  });
});

describe("decidePurchase, with a card that expires in March 2026", () => {
  const card = {
    status: "ACTIVE",
    currency: "GBP",
    country: "GB",
    expiryMonth: 3,
    expiryYear: 2026,
  } as const;

  it.each([
    ["UTC", "2026-03-31T23:59:59.999Z", null],
    ["UTC", "2026-04-01T00:00:00.000Z", "card_expired"],
    ["Pacific/Auckland", "2026-03-31T10:59:59.999Z", null],
    ["Pacific/Auckland", "2026-03-31T11:00:00.000Z", "card_expired"],
    ["America/Los_Angeles", "2026-04-01T06:59:59.999Z", null],
    ["America/Los_Angeles", "2026-04-01T07:00:00.000Z", "card_expired"],
  ])("accepts it until the end of the month, in %s, at %s: %s", (zone, instant, reason) => {
    expect(decideIn(zone, new Date(instant), {}, {}, card).reason).toBe(reason);
  });
});

/** Decides on a purchase for 100, with spending in the windows that start on these days. */
function decideIn(
  zone: string,
  at: Date,
  policy: Partial<DecidedPolicy>,
  spent: Partial<Record<LimitInterval, Record<string, number>>> = {},
  card: DecidedCard | null = null,
) {
  const { day, week, month, year, dayOfWeek } = windowsAt(at, zone);
  const used = {
    PER_TRANSACTION: 0,
    DAILY: spent.DAILY?.[day] ?? 0,
    WEEKLY: spent.WEEKLY?.[week] ?? 0,
    MONTHLY: spent.MONTHLY?.[month] ?? 0,
    YEARLY: spent.YEARLY?.[year] ?? 0,
    ALL_TIME: 0,
  };
  const merchant = { name: "Corner Shop", id: null, category: null, country: null };
  const purchase = { amount: 100, currency: "GBP", merchant, channel: "in_store", at } as const;
  const resetsAt = (interval: LimitInterval) => windowEnd(interval as CalendarInterval, at, zone);
  const spending = { month, dayOfWeek, used, resetsAt };
  return decidePurchase(purchase, card, { ...termsOf({}), ...policy }, spending);
}
