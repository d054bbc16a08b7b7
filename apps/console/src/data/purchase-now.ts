import type { CardPolicy, CardTransaction, LimitInterval, PassingTerms } from "@purser/client";
import { type LimitBasis, limitInWords, reasonInWords } from "./card-words.ts";
import { formatMoney } from "./format.ts";

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
  { currency, merchantName }: Pick<CardTransaction, "currency" | "merchantName">,
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

/** What to change in a policy, for a sentence ("It passes with …") and for the button that does it. */
export function changesInWords(
  before: PassingTerms,
  after: PassingTerms,
  currency: string,
  categoryInWords: (category: string) => string,
): { condition: string; button: string } {
  const limits = (after.limits ?? []).filter(
    ({ amount, interval }) => before.limits?.find((limit) => limit.interval === interval)?.amount !== amount,
  );
  const changes = [
    ...(after.activeFrom === null ? ["Remove the first day"] : []),
    ...(after.activeTo === null ? ["Remove the last day"] : []),
    ...added(before, after, "daysOfWeek").map((day) => `Allow ${weekdays[day]}s`),
    ...flags.flatMap((flag) => (after[flag] === true ? [allowWords[flag]] : [])),
    ...added(before, after, "merchantCategories").map((category) => `Add “${categoryInWords(category)}”`),
    ...added(after, before, "blockedMerchantCategories").map((one) => `Unblock “${categoryInWords(one)}”`),
    ...added(after, before, "blockedMerchants").map((merchant) => `Unblock ${merchant}`),
    ...added(before, after, "allowedMerchants").map((merchant) => `Add ${merchant}`),
    ...limits.map(({ amount, interval }) => `Set ${limitInWords(amount, interval, currency)}`),
  ];
  const [first = "", ...others] = changes;
  const button = listFormat.format([first, ...others.map(decapitalized)]);
  const [limit] = limits;
  return changes.length === 1 && limit !== undefined
    ? { condition: `with at least ${limitInWords(limit.amount, limit.interval, currency)}`, button }
    : { condition: `when you ${decapitalized(button)}`, button };
}

type ListField = {
  [Field in keyof PassingTerms]-?: NonNullable<PassingTerms[Field]> extends (string | number)[]
    ? Field
    : never;
}[keyof PassingTerms];

/** The items of a list that only the second policy has. None if one of them does not tell its list. */
function added<Field extends ListField>(
  before: PassingTerms,
  after: PassingTerms,
  field: Field,
): NonNullable<PassingTerms[Field]>[number][] {
  const [old, now]: ((string | number)[] | undefined)[] = [before[field], after[field]];
  return old === undefined || now === undefined ? [] : now.filter((item) => !old.includes(item));
}

const decapitalized = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

const allowWords = {
  allowAtm: "Allow ATM withdrawals",
  allowOnline: "Allow purchases online",
  allowInternational: "Allow merchants in other countries",
};
const flags = ["allowAtm", "allowOnline", "allowInternational"] as const;

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
