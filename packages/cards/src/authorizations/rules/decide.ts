import { isInMerchantCategory } from "@purser/core";
import type { AdvisedVerdict, CardStatus, Channel, Merchant } from "../../ports.ts";

/** What somebody wants to buy. Amounts are in the card's currency. */
export interface Purchase {
  amount: number;
  currency: string;
  merchant: Merchant;
  channel: Channel;
  at: Date;
}

/** What of a card a decision depends on. */
export interface DecidedCard {
  status: CardStatus;
  currency: string;
  country: string;
  /** The first instant at which it has expired. */
  expiresAt: Date;
}

export type LimitInterval = "PER_TRANSACTION" | "DAILY" | "WEEKLY" | "MONTHLY";

/** What of a policy a decision depends on. */
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

/** The purchase's place in the calendar of its organization, and what was spent there before. */
export interface Spending {
  /** 0 is Sunday. */
  dayOfWeek: number;
  /** PER_TRANSACTION is what this very purchase has been approved for before, which is 0 but for an increment. */
  used: Readonly<Record<LimitInterval, number>>;
  /** The first instant of the next window; null for PER_TRANSACTION, where nothing begins anew. */
  resetsAt: (interval: LimitInterval) => Date | null;
}

/** Why a purchase is refused, the first reason that holds being the one that is given (contract, section 7). */
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

/** What was decided, and on what: where there is a limit, what of it was used before, and when it begins anew. */
export interface Decision {
  outcome: "approved" | "declined";
  reason: DeclineReason | null;
  limit: number | null;
  used: number | null;
  remaining: number | null;
  resetsAt: Date | null;
  interval: LimitInterval | null;
}

/** What is kept of a decision that was not ours, in the form of those that are: it was made on nothing that we know. */
export function advisedDecision({ approved, reason }: AdvisedVerdict, decidedAt: Date) {
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

/** Decides on a purchase. Without a card, as for a draft of a policy alone, nothing is asked of one. */
export function decide(
  purchase: Purchase,
  card: DecidedCard | null,
  policy: DecidedPolicy,
  spending: Spending,
): Decision {
  const budget = budgetOf(policy, spending);
  const reason =
    declineReasons.find((one) => refusals[one](purchase, { card, policy, spending, budget })) ?? null;
  return { outcome: reason === null ? "approved" : "declined", reason, ...budget };
}

type Budget = Omit<Decision, "outcome" | "reason">;

interface Grounds {
  card: DecidedCard | null;
  policy: DecidedPolicy;
  spending: Spending;
  budget: Budget;
}

/** For each reason, whether it holds. They stand in the order in which they count. */
const refusals: Record<DeclineReason, (purchase: Purchase, grounds: Grounds) => boolean> = {
  card_closed: (_, { card }) => card?.status === "CLOSED",
  card_frozen: (_, { card }) => card?.status === "FROZEN",
  card_paused: (_, { card }) => card?.status === "PAUSED",
  card_expired: ({ at }, { card }) => card !== null && at >= card.expiresAt,
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

function exceeds(interval: LimitInterval) {
  return ({ amount }: Purchase, { budget }: Grounds) =>
    budget.interval === interval && amount > budget.limit! - budget.used!;
}

/** A limit without an interval is per transaction; an interval without a limit limits nothing. */
function budgetOf(
  { spendingLimit: limit, limitInterval }: DecidedPolicy,
  { used, resetsAt }: Spending,
): Budget {
  if (limit === null) return { limit, used: null, remaining: null, resetsAt: null, interval: null };
  const interval = limitInterval ?? "PER_TRANSACTION";
  const spent = used[interval];
  const remaining = Math.max(0, limit - spent);
  return { limit, used: spent, remaining, resetsAt: resetsAt(interval), interval };
}

/** A merchant is meant by its id, or by its name whatever its case and spacing. */
function isBlocked({ id, name }: Merchant, blocked: readonly string[]): boolean {
  if (blocked.length === 0) return false;
  const names = equalsIgnoringCase(blocked);
  return names.has(alike(name)) || (id !== null && names.has(alike(id)));
}

const alike = (text: string) => text.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, "");

/** A backtest asks of one list a hundred thousand times. */
const spellings = new WeakMap<readonly string[], Set<string>>();
function equalsIgnoringCase(list: readonly string[]): Set<string> {
  const known = spellings.get(list);
  if (known !== undefined) return known;
  const names = new Set(list.map((text) => alike(text)));
  spellings.set(list, names);
  return names;
}
