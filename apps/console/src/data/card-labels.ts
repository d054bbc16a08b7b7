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

interface ReasonWords {
  /** The reason, as it stands in lists. */
  title: string;
  /** Why it was declined then, with `{merchant}` and `{category}`. Limits have sentences with their numbers. */
  past?: string;
  /** Why the same purchase would be declined now. Absent where the policy and the card did not decide. */
  present?: string;
  /** What can be done, where the policy and the card did not decide. */
  advice?: string;
  /** Whether the numbers of a limit tell why. */
  isLimit?: true;
}

/** A reason that holds now as it held then: the sentences differ in their verb alone. */
const policyReason = (title: string, past: string, present: string): ReasonWords => ({
  title,
  past: `The policy ${past}.`,
  present: `The policy ${present}.`,
});

/** A type of the client that is open to values of later versions also includes every other text. */
type KnownOf<Value extends string> = Value extends string ? (string extends Value ? never : Value) : never;

const reasons = {
  card_closed: {
    title: "The card is closed",
    past: "The card was closed.",
    present: "This card is closed, so it declines every purchase.",
  },
  card_frozen: {
    title: "The card is frozen",
    past: "The card was frozen.",
    present: "This card is frozen, so it declines every purchase.",
  },
  card_paused: {
    title: "The card is paused",
    past: "The card was paused.",
    present: "This card is paused, so it declines every purchase.",
  },
  card_expired: {
    title: "The card has expired",
    past: "The card had expired.",
    present: "This card has expired, so it declines every purchase.",
  },
  currency_not_supported: {
    title: "It is in another currency",
    past: "The merchant charged another currency than the card’s.",
    advice: "The card pays in its own currency only. Ask the merchant to charge it in that.",
  },
  policy_not_started: policyReason(
    "The policy has not started",
    "had not started yet",
    "has not started yet",
  ),
  policy_expired: policyReason("The policy has ended", "had ended", "has ended"),
  day_not_allowed: policyReason(
    "Not allowed on this day",
    "did not allow purchases on that day of the week",
    "does not allow purchases on this day of the week",
  ),
  atm_not_allowed: policyReason("No cash", "did not allow ATM withdrawals", "does not allow ATM withdrawals"),
  online_not_allowed: policyReason(
    "Not allowed online",
    "did not allow purchases online",
    "does not allow purchases online",
  ),
  international_not_allowed: policyReason(
    "Not allowed abroad",
    "did not allow merchants in other countries",
    "does not allow merchants in other countries",
  ),
  merchant_category_not_allowed: policyReason(
    "Category not allowed",
    "did not allow {category}",
    "does not allow {category}",
  ),
  merchant_category_blocked: policyReason("Category blocked", "blocked {category}", "blocks {category}"),
  merchant_blocked: policyReason("Merchant blocked", "blocked {merchant}", "blocks {merchant}"),
  merchant_not_allowed: policyReason(
    "Merchant not allowed",
    "allowed only certain merchants. {merchant} was not among them",
    "allows only certain merchants. {merchant} is not among them",
  ),
  transaction_limit_exceeded: { title: "Over the limit for a purchase", isLimit: true },
  daily_limit_exceeded: { title: "Over the day’s limit", isLimit: true },
  weekly_limit_exceeded: { title: "Over the week’s limit", isLimit: true },
  monthly_limit_exceeded: { title: "Over the month’s limit", isLimit: true },
  yearly_limit_exceeded: { title: "Over the year’s limit", isLimit: true },
  all_time_limit_exceeded: { title: "Over the limit in total", isLimit: true },
  authorization_reversed: {
    title: "The merchant released the hold",
    past: "The purchase was approved. Later the merchant released the hold.",
    advice: "No money moved. There is nothing to do.",
  },
  authorization_expired: {
    title: "The hold expired",
    past: "The purchase was approved. The merchant did not take the money in time.",
    advice: "No money moved. There is nothing to do.",
  },
  decision_timed_out: {
    title: "The answer came too late",
    past: "The answer came too late, so the card network declined by itself.",
  },
  issuer_declined: {
    title: "The card issuer declined",
    past: "The card issuer declined. It was not your policy.",
    advice: "Ask the issuer, or try another card.",
  },
} satisfies Record<KnownOf<DeclineReason>, ReasonWords>;

const wordsByReason: Readonly<Record<string, ReasonWords | undefined>> = reasons;

/** A reason for a decline, in words. A later service may have reasons that this console does not know. */
export const reasonInWords = (reason: DeclineReason): ReasonWords =>
  wordsByReason[reason] ?? { title: inWords(reason) };

export type LimitBasis = Pick<
  CardDecision,
  "reason" | "limit" | "used" | "remaining" | "interval" | "resetsAt"
>;

/** What the limit was, what was used and left of it, and when it resets. Null if no limit was the reason. */
export function limitSentence(
  decision: LimitBasis,
  currency: string,
  timeZone: string,
  now: Date = new Date(),
): string | null {
  const { reason, limit, used, remaining, interval, resetsAt } = decision;
  if (reason === null || reasonInWords(reason).isLimit !== true) return null;
  if (limit === null || interval === null) return null;
  const money = (amount: number) => formatMoney(amount, currency);
  const allowed = `The policy allowed ${limitInWords(limit, interval, currency)}.`;
  if (interval === "PER_TRANSACTION") return allowed;
  const spent = `${money(used ?? 0)} was used, so ${money(remaining ?? 0)} was left.`;
  const reset =
    resetsAt === null
      ? "This limit never resets."
      : `It ${resetsAt > now ? "resets" : "reset"} on ${formatInstant(resetsAt, timeZone)}.`;
  return `${allowed} ${spent} ${reset}`;
}
