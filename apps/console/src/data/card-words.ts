import type { CardDecision, DeclineReason, LimitInterval } from "@purser/client";
import { formatInstant, formatMoney, inWords } from "./format.ts";

/** A limit's interval, as in "£500 a month". */
const intervalEndings: Record<LimitInterval, string> = {
  PER_TRANSACTION: "for each purchase",
  DAILY: "a day",
  WEEKLY: "a week",
  MONTHLY: "a month",
  YEARLY: "a year",
  ALL_TIME: "in total",
};

/** The intervals of limits, in the order of their length, with their names for forms. */
export const intervalNames: Record<LimitInterval, string> = {
  PER_TRANSACTION: "Each purchase",
  DAILY: "Each day",
  WEEKLY: "Each week, from Monday",
  MONTHLY: "Each month",
  YEARLY: "Each year",
  ALL_TIME: "In total",
};

export const limitInWords = (amount: number, interval: LimitInterval, currency: string): string =>
  `${formatMoney(amount, currency)} ${intervalEndings[interval]}`;

/** The fields of the policy form that a decline can lead to. */
export type PolicyField = "limits" | "merchants" | "categories" | "days" | "channels" | "period";

interface ReasonWords {
  /** The reason, as it stands in lists. */
  title: string;
  /** What can be done about it. */
  advice: string;
  /** The field of the policy that lets it pass. */
  field?: PolicyField;
}

const raise = "Raise this limit to let it pass.";

const reasons: Readonly<Record<string, ReasonWords>> = {
  card_closed: { title: "The card is closed", advice: "A closed card stays closed. Issue a new one." },
  card_frozen: { title: "The card is frozen", advice: "An owner can unfreeze the card." },
  card_paused: { title: "The card is paused", advice: "Resume the card, then try the purchase again." },
  card_expired: { title: "The card has expired", advice: "Issue a new card." },
  currency_not_supported: {
    title: "It is in another currency",
    advice: "The card pays in its own currency only. Ask the merchant to charge it in that.",
  },
  policy_not_started: {
    title: "The policy has not started",
    advice: "Let the policy start earlier.",
    field: "period",
  },
  policy_expired: { title: "The policy has ended", advice: "Let the policy end later.", field: "period" },
  day_not_allowed: {
    title: "Not allowed on this day",
    advice: "Allow this day of the week.",
    field: "days",
  },
  atm_not_allowed: { title: "No cash", advice: "Allow ATM withdrawals.", field: "channels" },
  online_not_allowed: { title: "Not allowed online", advice: "Allow purchases online.", field: "channels" },
  international_not_allowed: {
    title: "Not allowed abroad",
    advice: "Allow merchants in other countries.",
    field: "channels",
  },
  merchant_category_not_allowed: {
    title: "Category not allowed",
    advice: "Add the merchant’s category to those that are allowed.",
    field: "categories",
  },
  merchant_category_blocked: {
    title: "Category blocked",
    advice: "Remove the merchant’s category from those that are blocked.",
    field: "categories",
  },
  merchant_blocked: {
    title: "Merchant blocked",
    advice: "Remove the merchant from those that are blocked.",
    field: "merchants",
  },
  merchant_not_allowed: {
    title: "Merchant not allowed",
    advice: "Add the merchant to those that are allowed.",
    field: "merchants",
  },
  transaction_limit_exceeded: { title: "Over the limit for a purchase", advice: raise, field: "limits" },
  daily_limit_exceeded: { title: "Over the day’s limit", advice: raise, field: "limits" },
  weekly_limit_exceeded: { title: "Over the week’s limit", advice: raise, field: "limits" },
  monthly_limit_exceeded: { title: "Over the month’s limit", advice: raise, field: "limits" },
  yearly_limit_exceeded: { title: "Over the year’s limit", advice: raise, field: "limits" },
  all_time_limit_exceeded: { title: "Over the limit in total", advice: raise, field: "limits" },
  authorization_reversed: {
    title: "The merchant released the hold",
    advice: "No money moved. There is nothing to do.",
  },
  authorization_expired: {
    title: "The hold expired",
    advice: "The merchant did not take the money in time. There is nothing to do.",
  },
  decision_timed_out: {
    title: "The answer came too late",
    advice: "The card network declined by itself. Try the purchase again.",
  },
  issuer_declined: {
    title: "The card issuer declined",
    advice: "It was not your policy. Ask the issuer, or try another card.",
  },
};

/** A reason for a decline, in words. A later service may have reasons that this console does not know. */
export const reasonInWords = (reason: DeclineReason): ReasonWords =>
  reasons[reason] ?? { title: inWords(reason), advice: "See the policy of the card." };

/** What the limit was, what was used and left of it, and when it begins anew. Null if no limit was the reason. */
export function limitSentence(
  decision: Pick<CardDecision, "reason" | "limit" | "used" | "remaining" | "interval" | "resetsAt">,
  currency: string,
  timeZone: string,
  now: Date = new Date(),
): string | null {
  const { reason, limit, used, remaining, interval, resetsAt } = decision;
  if (reason?.endsWith("_limit_exceeded") !== true || limit === null || interval === null) return null;
  const money = (amount: number) => formatMoney(amount, currency);
  const allowed = `The policy allows ${limitInWords(limit, interval, currency)}.`;
  if (interval === "PER_TRANSACTION") return allowed;
  const spent = `${money(used ?? 0)} was used, so ${money(remaining ?? 0)} was left.`;
  const anew =
    resetsAt === null
      ? "This limit does not begin anew."
      : `It ${resetsAt > now ? "begins" : "began"} anew on ${formatInstant(resetsAt, timeZone)}.`;
  return `${allowed} ${spent} ${anew}`;
}
