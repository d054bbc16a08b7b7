import type { LimitInterval } from "@purser/core";
import type { DecidedPolicy } from "./decide.ts";

/**
 * The counter that the statement of a decision raises only up to a limit. Without a limit of a day, week or month it is the
 * month's, unbounded. Limits that need more than one counter hold because the counters are still at the version that the
 * decision was made on.
 */
export interface CappedCounter {
  period: "DAY" | "WEEK" | "MONTH";
  limit: number;
  needsCountersVersion: boolean;
}

const uncapped = { period: "MONTH", limit: Number.MAX_SAFE_INTEGER } as const;

/** The counter that a policy caps. PER_TRANSACTION caps none: the rules check it alone. */
export function cappedCounterOf({ limits }: DecidedPolicy): CappedCounter {
  const [only, ...others] = limits.filter(({ interval }) => interval !== "PER_TRANSACTION");
  if (only === undefined) return { ...uncapped, needsCountersVersion: false };
  const period = periodOf(only.interval);
  if (period === null || others.length > 0) return { ...uncapped, needsCountersVersion: true };
  return { period, limit: only.amount, needsCountersVersion: false };
}

function periodOf(interval: LimitInterval): CappedCounter["period"] | null {
  if (interval === "DAILY") return "DAY";
  if (interval === "WEEKLY") return "WEEK";
  return interval === "MONTHLY" ? "MONTH" : null;
}
