import type { CardPolicy, CardTransaction, LimitInterval, PassingTerms } from "@purser/client";
import { type LimitBasis, limitInWords, reasonInWords } from "./card-labels.ts";
import { formatMoney, formatZonedDay } from "./format.ts";

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
  const { present, title, isLimit } = reasonInWords(reason ?? "");
  if (present !== undefined) return withPurchaseWords(present, merchantName, category);
  if (isLimit !== true || limit === null || interval === null) return `${title}.`;
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
  locale: { currency: string; timeZone: string },
  categoryInWords: (category: string) => string,
): { condition: string; button: string } {
  const { currency } = locale;
  const limits = (after.limits ?? []).filter(
    ({ amount, interval }) => before.limits?.find((limit) => limit.interval === interval)?.amount !== amount,
  );
  const allow = (flag: keyof typeof allowWords) => (after[flag] === true ? [allowWords[flag]] : []);
  // All terms. A sentence names them in this order.
  const changes = Object.values({
    activeFrom: periodChange("first day", after.activeFrom, locale.timeZone),
    activeTo: periodChange("last day", lastMoment(after.activeTo), locale.timeZone),
    daysOfWeek: added(before, after, "daysOfWeek").map((day) => `Allow ${weekdays[day]}s`),
    allowAtm: allow("allowAtm"),
    allowOnline: allow("allowOnline"),
    allowInternational: allow("allowInternational"),
    merchantCategories: added(before, after, "merchantCategories").map(
      (category) => `Add “${categoryInWords(category)}”`,
    ),
    blockedMerchantCategories: added(after, before, "blockedMerchantCategories").map(
      (category) => `Unblock “${categoryInWords(category)}”`,
    ),
    blockedMerchants: added(after, before, "blockedMerchants").map((merchant) => `Unblock ${merchant}`),
    allowedMerchants: added(before, after, "allowedMerchants").map((merchant) => `Add ${merchant}`),
    limits: limits.map(({ amount, interval }) => `Set ${limitInWords(amount, interval, currency)}`),
  } satisfies Record<keyof PassingTerms, string[]>).flat();
  const [first = "", ...others] = changes;
  const button = listFormat.format([first, ...others.map(decapitalized)]);
  const [limit] = limits;
  return changes.length === 1 && limit !== undefined
    ? { condition: `with at least ${limitInWords(limit.amount, limit.interval, currency)}`, button }
    : { condition: `when you ${decapitalized(button)}`, button };
}

/** The policy ends before `activeTo`, so its last day is that of the moment before. */
const lastMoment = (activeTo: Date | null | undefined): Date | null | undefined =>
  activeTo && new Date(activeTo.getTime() - 1);

function periodChange(name: string, at: Date | null | undefined, timeZone: string): string[] {
  if (at === undefined) return [];
  return [at === null ? `Remove the ${name}` : `Set the ${name} to ${formatZonedDay(at, timeZone)}`];
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
