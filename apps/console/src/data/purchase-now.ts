import type { CardChannel, CardDecision, CardPolicy, CardTransaction, LimitInterval } from "@purser/client";
import { type LimitBasis, limitInWords, reasonInWords } from "./card-words.ts";
import { formatMoney } from "./format.ts";

/** A purchase that was declined, with the reason of then. */
export type DeclinedPurchase = Pick<
  CardTransaction,
  "cardId" | "amount" | "currency" | "merchantName" | "merchantId" | "merchantCategory" | "declineReason"
>;

/** A purchase to decide on, as `cards.policies.check` takes it. */
export interface Question {
  amount: number;
  channel: CardChannel;
  merchant: { name: string; id?: string; category?: string; country?: string };
}

/** A code that no country has: the country of a merchant of which only is known that it is not the card's. */
const elsewhere = "ZZ";
const cashCategories = new Set(["6011", "automated_cash_disburse"]);

/**
 * The purchase as the service is asked about it again. A transaction does not tell its channel or its country, except by the
 * reason for its decline. Where they are not known, `base` is a purchase in a store of the card's country, and the others are
 * what it may have been instead. Where they are known, all are the same.
 */
export function questionsOf(purchase: DeclinedPurchase): Record<"base" | "online" | "abroad", Question> {
  const { amount, merchantName: name, merchantId, merchantCategory, declineReason } = purchase;
  const channel = knownChannel(purchase);
  const wasAbroad = declineReason === "international_not_allowed";
  const merchant = {
    name,
    ...(merchantId !== null && { id: merchantId }),
    ...(merchantCategory !== null && { category: merchantCategory }),
    ...(wasAbroad && { country: elsewhere }),
  };
  const base: Question = { amount, channel: channel ?? "in_store", merchant };
  return {
    base,
    online: channel === undefined ? { ...base, channel: "online" } : base,
    abroad: { ...base, merchant: { ...merchant, country: elsewhere } },
  };
}

function knownChannel({ declineReason, merchantCategory }: DeclinedPurchase): CardChannel | undefined {
  if (declineReason === "online_not_allowed") return "online";
  const isCash = declineReason === "atm_not_allowed" || cashCategories.has(merchantCategory ?? "");
  return isCash ? "atm" : undefined;
}

/** What a purchase would meet now. */
export interface Verdict {
  decision: CardDecision;
  passes: boolean;
  /** What is not known of the purchase, and would decline it. */
  unless: string[];
}

export function verdictOf(base: CardDecision, online: CardDecision, abroad: CardDecision): Verdict {
  const passes = base.outcome === "approved";
  return {
    decision: base,
    passes,
    unless: [
      ...(passes && online.reason === "online_not_allowed" ? ["it was online"] : []),
      ...(passes && abroad.reason === "international_not_allowed"
        ? ["the merchant is in another country"]
        : []),
    ],
  };
}

/** Whether the card and its policy decide a purchase again, which was declined for this reason. */
export const isDecidedAgain = (reason: string): boolean => reasonInWords(reason).advice === undefined;

/** Fills in what a sentence about a reason says of the purchase. The category is in words. */
export function withPurchaseWords(sentence: string, merchant: string, category: string | null): string {
  const named = category === null ? "merchants without a category" : `the category “${category}”`;
  return sentence.replace("{merchant}", () => merchant).replace("{category}", () => named);
}

/** Why a purchase would be declined now, in a sentence. */
export function nowSentence(
  decision: LimitBasis,
  { currency, merchantName }: Pick<DeclinedPurchase, "currency" | "merchantName">,
  category: string | null,
): string {
  const { reason, limit, remaining, interval } = decision;
  const { present, title } = reasonInWords(reason ?? "");
  if (present !== undefined) return withPurchaseWords(present, merchantName, category);
  if (limit === null || interval === null) return `${title}.`;
  if (interval === "PER_TRANSACTION") return `The policy allows ${limitInWords(limit, interval, currency)}.`;
  const left = formatMoney(remaining ?? 0, currency);
  return `${left} is left ${leftOf[interval]}, of ${formatMoney(limit, currency)}.`;
}

const leftOf: Record<Exclude<LimitInterval, "PER_TRANSACTION">, string> = {
  DAILY: "today",
  WEEKLY: "this week",
  MONTHLY: "this month",
  YEARLY: "this year",
  ALL_TIME: "in total",
};

/** The change of a policy that removes the reason for which a purchase is declined. */
export type PolicyFix =
  | { kind: "limit"; interval: LimitInterval; amount: number }
  | { kind: "add_category" | "unblock_category"; category: string }
  | { kind: "add_merchant"; merchant: string }
  | { kind: "unblock_merchant"; merchant: string; merchantId: string | null }
  | { kind: "allow"; what: "allowAtm" | "allowOnline" | "allowInternational" }
  | { kind: "allow_day"; day: number }
  | { kind: "start_now" | "never_end" };

const fixOfReason: Readonly<Record<string, (purchase: DeclinedPurchase, today: number) => PolicyFix | null>> =
  {
    policy_not_started: () => ({ kind: "start_now" }),
    policy_expired: () => ({ kind: "never_end" }),
    day_not_allowed: (_, day) => ({ kind: "allow_day", day }),
    atm_not_allowed: () => ({ kind: "allow", what: "allowAtm" }),
    online_not_allowed: () => ({ kind: "allow", what: "allowOnline" }),
    international_not_allowed: () => ({ kind: "allow", what: "allowInternational" }),
    // Without a category, a purchase passes no list of categories.
    merchant_category_not_allowed: ({ merchantCategory }) =>
      merchantCategory === null ? null : { kind: "add_category", category: merchantCategory },
    merchant_category_blocked: ({ merchantCategory }) =>
      merchantCategory === null ? null : { kind: "unblock_category", category: merchantCategory },
    merchant_blocked: ({ merchantName: merchant, merchantId }) => ({
      kind: "unblock_merchant",
      merchant,
      merchantId,
    }),
    merchant_not_allowed: ({ merchantName }) => ({ kind: "add_merchant", merchant: merchantName }),
  };

/** Returns what to change in the policy. Null if no change of the policy lets the purchase pass. */
export function fixOf(decision: LimitBasis, purchase: DeclinedPurchase, today: number): PolicyFix | null {
  const { reason, interval, used, limit } = decision;
  if (reason?.endsWith("_limit_exceeded") === true && interval !== null && limit !== null)
    return { kind: "limit", interval, amount: (used ?? 0) + purchase.amount };
  return fixOfReason[reason ?? ""]?.(purchase, today) ?? null;
}

/** What changes do, for a sentence ("It passes with …") and for the button that makes them. */
export function fixesInWords(
  fixes: readonly PolicyFix[],
  currency: string,
  categoryInWords: (category: string) => string,
): { condition: string; button: string } {
  const [first, ...others] = fixes.map((fix) => buttonOf(fix, currency, categoryInWords));
  const button = listFormat.format([first ?? "", ...others.map(decapitalized)]);
  const [fix] = fixes;
  return fixes.length === 1 && fix?.kind === "limit"
    ? { condition: `with at least ${limitInWords(fix.amount, fix.interval, currency)}`, button }
    : { condition: `when you ${decapitalized(button)}`, button };
}

const decapitalized = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

function buttonOf(fix: PolicyFix, currency: string, categoryInWords: (category: string) => string): string {
  switch (fix.kind) {
    case "limit":
      return `Set ${limitInWords(fix.amount, fix.interval, currency)}`;
    case "add_category":
      return `Add “${categoryInWords(fix.category)}”`;
    case "unblock_category":
      return `Unblock “${categoryInWords(fix.category)}”`;
    case "add_merchant":
      return `Add ${fix.merchant}`;
    case "unblock_merchant":
      return `Unblock ${fix.merchant}`;
    case "allow":
      return allowWords[fix.what];
    case "allow_day":
      return `Allow ${weekdays[fix.day]}s`;
    case "start_now":
      return "Remove the first day";
    default:
      return "Remove the last day";
  }
}

const allowWords = {
  allowAtm: "Allow ATM withdrawals",
  allowOnline: "Allow purchases online",
  allowInternational: "Allow merchants in other countries",
};

const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** The merchants at which a policy works, if it works at certain merchants only: "Corner Flowers and Book Shop". */
export function shopsInWords({ allowedMerchants }: Pick<CardPolicy, "allowedMerchants">): string | null {
  if (allowedMerchants.length === 0) return null;
  const named = allowedMerchants.slice(0, shopsNamed);
  const more = allowedMerchants.length - named.length;
  return listFormat.format(more === 0 ? named : [...named, `${more} more`]);
}

const shopsNamed = 3;
const listFormat = new Intl.ListFormat("en", { type: "conjunction" });
