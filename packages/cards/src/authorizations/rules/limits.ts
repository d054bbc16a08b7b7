import type { CardLimit, LimitInterval } from "@purser/core";

/** What counts against the limits already. */
export interface LimitUse {
  /** PER_TRANSACTION is what this purchase was approved for before: 0, except for an increment. */
  used: Readonly<Record<LimitInterval, number>>;
  /** The first instant of the next window; null for PER_TRANSACTION and ALL_TIME, which have none. */
  resetsAt: (interval: LimitInterval) => Date | null;
}

/** A limit, what was used of it, and when it resets; all null without a limit. */
export interface Budget {
  limit: number | null;
  used: number | null;
  remaining: number | null;
  resetsAt: Date | null;
  interval: LimitInterval | null;
}

/** The limit with the least remaining; of equal ones, the first. */
export function leastBudgetOf(limits: readonly CardLimit[], use: LimitUse): Budget {
  let [least] = limits;
  if (least === undefined)
    return { limit: null, used: null, remaining: null, resetsAt: null, interval: null };
  for (const one of limits) {
    if (remainingOf(one, use) < remainingOf(least, use)) least = one;
  }
  return budgetOf(least, use);
}

export function budgetOf(one: CardLimit, use: LimitUse): Budget {
  const { amount: limit, interval } = one;
  const remaining = remainingOf(one, use);
  return { limit, used: use.used[interval], remaining, resetsAt: use.resetsAt(interval), interval };
}

const remainingOf = ({ amount, interval }: CardLimit, { used }: LimitUse) =>
  Math.max(0, amount - used[interval]);
