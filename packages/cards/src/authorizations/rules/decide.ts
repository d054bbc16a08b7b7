import {
  type cardDecisionOutcomes,
  isInMerchantCategory,
  type CardLimit,
  type LimitInterval,
  unknownCountry,
} from "@purser/core";
import type { StoredCardDecision } from "@purser/db";
import type { AuthorizationResponse, CardMerchant, CardStatus, Channel } from "../../ports.ts";
import type { declineReasonMeanings } from "../contract.ts";
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

/** The policy's part of a decision. */
export interface DecidedPolicy {
  /** At most one of each interval. */
  limits: readonly CardLimit[];
  allowAtm: boolean;
  allowOnline: boolean;
  allowInternational: boolean;
  merchantCategories: readonly string[];
  blockedMerchantCategories: readonly string[];
  blockedMerchants: readonly string[];
  allowedMerchants: readonly string[];
  activeFrom: Date | null;
  activeTo: Date | null;
  daysOfWeek: readonly number[];
}

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

/** Where the purchase falls in the calendar of the card's time zone, and what counts against the limits there already. */
export interface Spending extends LimitUse {
  /** The first day of the month, as YYYY-MM-DD. */
  month: string;
  /** 0 is Sunday. */
  dayOfWeek: number;
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
  "merchant_category_blocked",
  "merchant_blocked",
  "merchant_not_allowed",
  "transaction_limit_exceeded",
  "daily_limit_exceeded",
  "weekly_limit_exceeded",
  "monthly_limit_exceeded",
  "yearly_limit_exceeded",
  "all_time_limit_exceeded",
] as const satisfies readonly (keyof typeof declineReasonMeanings)[];
export type DeclineReason = (typeof declineReasons)[number];

/**
 * A decision and its basis: a limit, what was used of it before the purchase, and when it resets. Of several limits it is
 * the one that declines the purchase, otherwise the one with the least remaining.
 */
export interface Decision extends Budget {
  outcome: (typeof cardDecisionOutcomes)[number];
  reason: DeclineReason | null;
  requestedAmount: number;
  /** 0 for a decline; less than requested for a partial approval. */
  approvedAmount: number;
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
  const basis = { card, policy, spending };
  const reason = declineReasons.find((one) => declines[one](purchase, basis)) ?? null;
  const { amount: requestedAmount } = purchase;
  const leastBudget = leastBudgetOf(policy.limits, spending);
  if (reason === null) {
    return { outcome: "approved", reason, requestedAmount, approvedAmount: requestedAmount, ...leastBudget };
  }
  const approvedAmount = partialAmount(purchase, reason, leastBudget);
  if (approvedAmount === 0) {
    const exceeded = policy.limits.find(({ interval }) => limitReasons[interval] === reason);
    const budget = exceeded ? budgetOf(exceeded, spending) : leastBudget;
    return { outcome: "declined", reason, requestedAmount, approvedAmount, ...budget };
  }
  return { outcome: "approved", reason: null, requestedAmount, approvedAmount, ...leastBudget };
}

/** What the response to the network says of a decision. */
export type AnsweredDecision = Pick<
  StoredCardDecision,
  "outcome" | "reason" | "requestedAmount" | "approvedAmount"
>;

/** The response to the network that a decision gives. One without amounts is of the whole request. */
export function responseTo({
  outcome,
  reason,
  requestedAmount = 0,
  approvedAmount = requestedAmount,
}: AnsweredDecision): AuthorizationResponse {
  const isPartial = outcome === "approved" && approvedAmount < requestedAmount;
  return { approved: outcome === "approved", reason, ...(isPartial && { partialAmount: approvedAmount }) };
}

/** The reason of each limit. */
export const limitReasons = {
  PER_TRANSACTION: "transaction_limit_exceeded",
  DAILY: "daily_limit_exceeded",
  WEEKLY: "weekly_limit_exceeded",
  MONTHLY: "monthly_limit_exceeded",
  YEARLY: "yearly_limit_exceeded",
  ALL_TIME: "all_time_limit_exceeded",
} as const satisfies Record<LimitInterval, DeclineReason>;

/** The limits that a part of a purchase can fit. They are the last reasons, so nothing else declines the purchase. */
const divisibleLimits: ReadonlySet<DeclineReason> = new Set([
  limitReasons.DAILY,
  limitReasons.WEEKLY,
  limitReasons.MONTHLY,
  limitReasons.YEARLY,
  limitReasons.ALL_TIME,
]);

/**
 * What a purchase that exceeds a limit may be approved for, or 0: what is left of all limits. A partial approval spends
 * the rest of a budget, like the rest of a prepaid balance. A limit per transaction is no budget: the purchase itself is
 * too large, and a second payment with the same card would get around it.
 */
function partialAmount(
  { mayBePartial = false }: PurchaseRequest,
  reason: DeclineReason,
  leastBudget: Budget,
): number {
  return mayBePartial && divisibleLimits.has(reason) ? leastBudget.remaining! : 0;
}

interface Basis {
  card: DecidedCard | null;
  policy: DecidedPolicy;
  spending: Spending;
}

/** For each reason, whether it applies. */
const declines: Record<DeclineReason, (purchase: PurchaseRequest, basis: Basis) => boolean> = {
  card_closed: (_, { card }) => card?.status === "CLOSED",
  card_frozen: (_, { card }) => card?.status === "FROZEN",
  card_paused: (_, { card }) => card?.status === "PAUSED",
  card_expired: (_, { card, spending }) => card !== null && isCardExpired(card, spending.month),
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
    // Earlier versions stored an empty text for an unknown country.
    ![unknownCountry, ""].includes(card.country) &&
    merchant.country !== null &&
    merchant.country !== card.country,
  merchant_category_not_allowed: ({ merchant }, { policy }) =>
    policy.merchantCategories.length > 0 && !isInOneOf(merchant, policy.merchantCategories),
  merchant_category_blocked: ({ merchant }, { policy }) =>
    isInOneOf(merchant, policy.blockedMerchantCategories),
  merchant_blocked: ({ merchant }, { policy }) => isListedMerchant(merchant, policy.blockedMerchants),
  merchant_not_allowed: ({ merchant }, { policy }) =>
    policy.allowedMerchants.length > 0 && !isListedMerchant(merchant, policy.allowedMerchants),
  transaction_limit_exceeded: exceeds("PER_TRANSACTION"),
  daily_limit_exceeded: exceeds("DAILY"),
  weekly_limit_exceeded: exceeds("WEEKLY"),
  monthly_limit_exceeded: exceeds("MONTHLY"),
  yearly_limit_exceeded: exceeds("YEARLY"),
  all_time_limit_exceeded: exceeds("ALL_TIME"),
};

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

function budgetOf(one: CardLimit, use: LimitUse): Budget {
  const { amount: limit, interval } = one;
  const remaining = remainingOf(one, use);
  return { limit, used: use.used[interval], remaining, resetsAt: use.resetsAt(interval), interval };
}

const remainingOf = ({ amount, interval }: CardLimit, { used }: LimitUse) =>
  Math.max(0, amount - used[interval]);

/** A card is valid until the end of its expiry month. */
export function isCardExpired(
  { expiryMonth, expiryYear }: Pick<DecidedCard, "expiryMonth" | "expiryYear">,
  month: string,
): boolean {
  return month > `${expiryYear ?? "0000"}-${String(expiryMonth ?? 1).padStart(2, "0")}-01`;
}

/** Whether the merchant's category is one of these. An unknown category is none. */
function isInOneOf({ category }: CardMerchant, categories: readonly string[]): boolean {
  return category !== null && categories.some((one) => isInMerchantCategory(category, one));
}

/** A verification of the card, with an amount of 0, spends nothing: it passes even if merchants exceeded the limit. */
function exceeds(interval: LimitInterval) {
  return ({ amount }: PurchaseRequest, { policy, spending }: Basis) =>
    amount > 0 &&
    policy.limits.some((one) => one.interval === interval && amount > one.amount - spending.used[interval]);
}

/** A list names a merchant by its id or its name; case and spacing do not matter. */
export function isListedMerchant({ id, name }: CardMerchant, list: readonly string[]): boolean {
  if (list.length === 0) return false;
  const names = normalizedNames(list);
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

/** What counts in each window, as `{ "DAY 2026-03-02": 1250, …, "ALL_TIME": 98000 }`; null if nothing does. */
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
  const { month, dayOfWeek } = windows;
  const used = (name: string) => counters?.[name] ?? 0;
  const names = counterNames(windows);
  return {
    month,
    dayOfWeek,
    used: {
      PER_TRANSACTION: approvedBefore,
      DAILY: used(names.DAILY),
      WEEKLY: used(names.WEEKLY),
      MONTHLY: used(names.MONTHLY),
      YEARLY: used(names.YEARLY),
      ALL_TIME: used(names.ALL_TIME),
    },
    resetsAt: (interval) =>
      interval === "PER_TRANSACTION" || interval === "ALL_TIME" ? null : windowEnd(interval, at, timeZone),
  };
}

/** The counters after one more approval in these windows. */
export function addSpent(counters: Counters, windows: Windows, amount: number): Record<string, number> {
  const after = { ...counters };
  for (const name of Object.values(counterNames(windows))) after[name] = (after[name] ?? 0) + amount;
  return after;
}

/** The names of the counters of these windows. */
export function counterNames({ day, week, month, year }: Windows) {
  return {
    DAILY: `DAY ${day}`,
    WEEKLY: `WEEK ${week}`,
    MONTHLY: `MONTH ${month}`,
    YEARLY: `YEAR ${year}`,
    ALL_TIME: "ALL_TIME",
  };
}
