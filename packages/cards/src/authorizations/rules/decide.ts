import { type cardDecisionOutcomes, type cardLimitIntervals, isInMerchantCategory } from "@purser/core";
import type { CardMerchant, CardStatus, Channel, NetworkDecision } from "../../ports.ts";
import { type Windows, windowEnd } from "./windows.ts";

/** A purchase to decide on. The amount is in minor units of the card's currency. */
export interface PurchaseRequest {
  amount: number;
  /** Whether the purchase may be approved for less: the merchant accepts it, and the organization's setting allows it. */
  mayBePartial?: boolean;
  currency: string;
  merchant: CardMerchant;
  channel: Channel;
  at: Date;
}

/** The card's part of a decision. */
export interface DecidedCard {
  status: CardStatus;
  currency: string;
  country: string;
  /** The last month in which the card is valid: 1 to 12, and a year of four digits. Null until it is issued. */
  expiryMonth: number | null;
  expiryYear: number | null;
}

export type LimitInterval = (typeof cardLimitIntervals)[number];

/** The policy's part of a decision. */
export interface DecidedPolicy {
  spendingLimit: number | null;
  limitInterval: LimitInterval | null;
  allowAtm: boolean;
  allowOnline: boolean;
  allowInternational: boolean;
  merchantCategories: readonly string[];
  blockedMerchants: readonly string[];
  activeFrom: Date | null;
  activeTo: Date | null;
  daysOfWeek: readonly number[];
}

/** Where the purchase falls in the calendar of the card's time zone, and what counts against the limits there already. */
export interface Spending {
  /** The first day of the month, as YYYY-MM-DD. */
  month: string;
  /** 0 is Sunday. */
  dayOfWeek: number;
  /** PER_TRANSACTION is what this purchase was approved for before: 0, except for an increment. */
  used: Readonly<Record<LimitInterval, number>>;
  /** The first instant of the next window; null for PER_TRANSACTION, which has no window. */
  resetsAt: (interval: LimitInterval) => Date | null;
}

/** The reasons to decline a purchase. If several apply, the first one in this order is the reason. */
export const declineReasons = [
  "card_closed",
  "card_frozen",
  "card_paused",
  "card_expired",
  "currency_not_supported",
  "policy_not_started",
  "policy_expired",
  "day_not_allowed",
  "atm_not_allowed",
  "online_not_allowed",
  "international_not_allowed",
  "merchant_category_not_allowed",
  "merchant_blocked",
  "transaction_limit_exceeded",
  "daily_limit_exceeded",
  "weekly_limit_exceeded",
  "monthly_limit_exceeded",
] as const;
export type DeclineReason = (typeof declineReasons)[number];

/** A decision and its basis: the limit, what was used of it before the purchase, and when it resets. */
export interface Decision {
  outcome: (typeof cardDecisionOutcomes)[number];
  reason: DeclineReason | null;
  requestedAmount: number;
  /** 0 for a decline; less than requested for a partial approval. */
  approvedAmount: number;
  limit: number | null;
  used: number | null;
  remaining: number | null;
  resetsAt: Date | null;
  interval: LimitInterval | null;
}

/**
 * Decides on a purchase. Pure: check and backtest use it too. Without a card, as for a draft of a policy alone, the
 * rules about the card do not apply.
 */
export function decidePurchase(
  purchase: PurchaseRequest,
  card: DecidedCard | null,
  policy: DecidedPolicy,
  spending: Spending,
): Decision {
  const budget = budgetOf(policy, spending);
  const basis = { card, policy, spending, budget };
  const reason = declineReasons.find((one) => declines[one](purchase, basis)) ?? null;
  const { amount: requestedAmount } = purchase;
  if (reason === null) {
    return { outcome: "approved", reason, requestedAmount, approvedAmount: requestedAmount, ...budget };
  }
  const approvedAmount = partialAmount(purchase, reason, budget);
  if (approvedAmount === 0) {
    return { outcome: "declined", reason, requestedAmount, approvedAmount, ...budget };
  }
  return { outcome: "approved", reason: null, requestedAmount, approvedAmount, ...budget };
}

/** The limits that a part of a purchase can fit. They are the last reasons, so nothing else declines the purchase. */
const divisibleLimits: ReadonlySet<DeclineReason> = new Set([
  "daily_limit_exceeded",
  "weekly_limit_exceeded",
  "monthly_limit_exceeded",
]);

/**
 * What a purchase that exceeds its limit may be approved for, or 0. A partial approval spends the rest of a budget, like
 * the rest of a prepaid balance. A limit per transaction is no budget: the purchase itself is too large, and a second
 * payment with the same card would get around it.
 */
function partialAmount(
  { mayBePartial = false }: PurchaseRequest,
  reason: DeclineReason,
  budget: Budget,
): number {
  return mayBePartial && divisibleLimits.has(reason) ? budget.remaining! : 0;
}

type Budget = Omit<Decision, "outcome" | "reason" | "requestedAmount" | "approvedAmount">;

interface Basis {
  card: DecidedCard | null;
  policy: DecidedPolicy;
  spending: Spending;
  budget: Budget;
}

/** For each reason, whether it applies. */
const declines: Record<DeclineReason, (purchase: PurchaseRequest, basis: Basis) => boolean> = {
  card_closed: (_, { card }) => card?.status === "CLOSED",
  card_frozen: (_, { card }) => card?.status === "FROZEN",
  card_paused: (_, { card }) => card?.status === "PAUSED",
  card_expired: (_, { card, spending }) => card !== null && isExpired(card, spending.month),
  currency_not_supported: ({ currency }, { card }) => card !== null && currency !== card.currency,
  policy_not_started: ({ at }, { policy }) => policy.activeFrom !== null && at < policy.activeFrom,
  policy_expired: ({ at }, { policy }) => policy.activeTo !== null && at >= policy.activeTo,
  day_not_allowed: (_, { policy, spending }) =>
    policy.daysOfWeek.length > 0 && !policy.daysOfWeek.includes(spending.dayOfWeek),
  atm_not_allowed: ({ channel }, { policy }) => channel === "atm" && !policy.allowAtm,
  online_not_allowed: ({ channel }, { policy }) => channel === "online" && !policy.allowOnline,
  international_not_allowed: ({ merchant }, { card, policy }) =>
    !policy.allowInternational &&
    card !== null &&
    merchant.country !== null &&
    merchant.country !== card.country,
  merchant_category_not_allowed: ({ merchant }, { policy }) =>
    policy.merchantCategories.length > 0 &&
    !policy.merchantCategories.some(
      (one) => merchant.category !== null && isInMerchantCategory(merchant.category, one),
    ),
  merchant_blocked: ({ merchant }, { policy }) => isBlocked(merchant, policy.blockedMerchants),
  transaction_limit_exceeded: exceeds("PER_TRANSACTION"),
  daily_limit_exceeded: exceeds("DAILY"),
  weekly_limit_exceeded: exceeds("WEEKLY"),
  monthly_limit_exceeded: exceeds("MONTHLY"),
};

/** A card is valid until the end of its expiry month. */
function isExpired({ expiryMonth, expiryYear }: DecidedCard, month: string): boolean {
  return month > `${expiryYear ?? "0000"}-${String(expiryMonth ?? 1).padStart(2, "0")}-01`;
}

/** A verification of the card, with an amount of 0, spends nothing: it passes even if merchants exceeded the limit. */
function exceeds(interval: LimitInterval) {
  return ({ amount }: PurchaseRequest, { budget }: Basis) =>
    amount > 0 && budget.interval === interval && amount > budget.limit! - budget.used!;
}

/** A limit without an interval is per transaction. An interval without a limit limits nothing. */
export function budgetOf(
  { spendingLimit: limit, limitInterval }: Pick<DecidedPolicy, "spendingLimit" | "limitInterval">,
  { used, resetsAt }: Pick<Spending, "used" | "resetsAt">,
): Budget {
  if (limit === null) return { limit, used: null, remaining: null, resetsAt: null, interval: null };
  const interval = limitInterval ?? "PER_TRANSACTION";
  const remaining = Math.max(0, limit - used[interval]);
  return { limit, used: used[interval], remaining, resetsAt: resetsAt(interval), interval };
}

/** A blocked merchant is listed by its id or its name; case and spacing do not matter. */
function isBlocked({ id, name }: CardMerchant, blocked: readonly string[]): boolean {
  if (blocked.length === 0) return false;
  const names = normalizedNames(blocked);
  return names.has(normalized(name)) || (id !== null && names.has(normalized(id)));
}

const normalized = (text: string) => text.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, "");

/** Cached, because a backtest checks one list a hundred thousand times. */
const namesByList = new WeakMap<readonly string[], Set<string>>();

function normalizedNames(list: readonly string[]): Set<string> {
  const existing = namesByList.get(list);
  if (existing !== undefined) return existing;
  const names = new Set(list.map((text) => normalized(text)));
  namesByList.set(list, names);
  return names;
}

/** What counts in each window, as `{ "DAY 2026-03-02": 1250, … }`; null if nothing does. */
type Counters = Readonly<Record<string, number>> | null;

interface SpendingInput {
  counters: Counters;
  /** The windows in which the purchase counts. */
  windows: Windows;
  at: Date;
  timeZone: string;
  /** What this purchase was approved for before: 0, except for an increment. */
  approvedBefore?: number;
}

export function spendingOf({ counters, windows, at, timeZone, approvedBefore = 0 }: SpendingInput): Spending {
  const { day, week, month, dayOfWeek } = windows;
  return {
    month,
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

/** The counters after one more approval in these windows. */
export function addSpent(counters: Counters, windows: Windows, amount: number): Record<string, number> {
  const after = { ...counters };
  for (const window of [`DAY ${windows.day}`, `WEEK ${windows.week}`, `MONTH ${windows.month}`]) {
    after[window] = (after[window] ?? 0) + amount;
  }
  return after;
}

/** The stored form of a decision that the network made without us, on a basis that we do not know. */
export function advisedDecision({ approved, reason }: NetworkDecision, decidedAt: Date) {
  const outcome = approved ? "approved" : "declined";
  return {
    outcome,
    reason,
    limit: null,
    used: null,
    remaining: null,
    resetsAt: null,
    interval: null,
    decidedAt,
  };
}
