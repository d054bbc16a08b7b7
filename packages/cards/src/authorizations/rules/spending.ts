import type { Spending } from "./decide.ts";
import { type Windows, windowEnd } from "./windows.ts";

/** When a purchase is made, and what was spent before. */
interface Facts {
  /** What was spent in each window, as `{ "DAY 2026-03-02": 1250, … }`; null where nothing was. */
  counters: Readonly<Record<string, number>> | null;
  /** The windows that the purchase counts in. */
  windows: Windows;
  at: Date;
  timeZone: string;
  /** What this very purchase has been approved for before, which is 0 but for an increment. */
  approvedBefore?: number;
}

/** What a decision has to know of a purchase's time, and of what was spent before. */
export function spendingOf({ counters, windows, at, timeZone, approvedBefore = 0 }: Facts): Spending {
  const { day, week, month, dayOfWeek } = windows;
  return {
    dayOfWeek,
    used: {
      PER_TRANSACTION: approvedBefore,
      DAILY: counters?.[`DAY ${day}`] ?? 0,
      WEEKLY: counters?.[`WEEK ${week}`] ?? 0,
      MONTHLY: counters?.[`MONTH ${month}`] ?? 0,
    },
    resetsAt: (interval) => (interval === "PER_TRANSACTION" ? null : windowEnd(interval, at, timeZone)),
  };
}

/** What was spent in each window, with a purchase more in its own. */
export function addSpent(
  counters: Facts["counters"],
  windows: Windows,
  amount: number,
): Record<string, number> {
  const after = { ...counters };
  for (const window of [`DAY ${windows.day}`, `WEEK ${windows.week}`, `MONTH ${windows.month}`]) {
    after[window] = (after[window] ?? 0) + amount;
  }
  return after;
}

/** A card is good until the end of the month that is printed on it. */
export function expiryOf(
  { expiryMonth, expiryYear }: { expiryMonth: number | null; expiryYear: number | null },
  timeZone: string,
): Date {
  const lastMonth = new Date(Date.UTC(expiryYear ?? 0, (expiryMonth ?? 1) - 1, 15));
  return windowEnd("MONTHLY", lastMonth, timeZone);
}
