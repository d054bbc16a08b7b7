import type { cardLimitIntervals, spendingLimitIntervals } from "./allowed-values.ts";

/** Days, weeks (from Monday), months and years are those of the organization's time zone. The others never reset. */
export type LimitInterval = (typeof cardLimitIntervals)[number];

/** The most that a card may spend in an interval, in minor units of its currency. */
export interface CardLimit {
  readonly amount: number;
  readonly interval: LimitInterval;
}

/** The documented pair of a policy: its first limit, as far as the pair can name the interval. */
export interface LimitPair {
  spendingLimit: number | null;
  limitInterval: (typeof spendingLimitIntervals)[number] | null;
}

/** The limits of a stored policy, the first one first. A limit without an interval is per transaction. */
export function cardLimitsOf({
  spendingLimit,
  limitInterval,
  furtherLimits,
}: LimitPair & { furtherLimits: readonly CardLimit[] }): CardLimit[] {
  const further = furtherLimits.map(({ amount, interval }) => ({ amount, interval }));
  if (spendingLimit === null) return further;
  const first = { amount: spendingLimit, interval: limitInterval ?? "PER_TRANSACTION" };
  // An older version of the service changes the pair without a look at the other limits.
  return [first, ...further.filter(({ interval }) => interval !== first.interval)];
}

/** The pair that shows these limits. It cannot show a first limit that is YEARLY or ALL_TIME. */
export function limitPairOf([first]: readonly CardLimit[]): LimitPair {
  if (first === undefined || first.interval === "YEARLY" || first.interval === "ALL_TIME") {
    return { spendingLimit: null, limitInterval: null };
  }
  return { spendingLimit: first.amount, limitInterval: first.interval };
}
