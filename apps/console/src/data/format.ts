import { decimalsOf } from "@purser/client";

/** Formats an amount in minor units, such as cents, with as many decimals as the service counts in its currency. */
export function formatMoney(
  amount: number,
  currency: string,
  options: Intl.NumberFormatOptions = {},
): string {
  const decimals = decimalsOf(currency);
  // A compact notation rounds by itself.
  const digits =
    options.notation === "compact"
      ? {}
      : { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  // Money out is written as the negated amount. By default, a negated zero has a minus.
  return numberFormat(currency, { signDisplay: "negative", ...digits, ...options }).format(
    amount / 10 ** decimals,
  );
}

/** The separators of thousands and decimals of the amounts that the pages show. */
export function numberSeparators(locale?: string) {
  const format = new Intl.NumberFormat(locale, {
    style: "currency",
    currency: "EUR",
    numberingSystem: "latn",
  });
  const parts = format.formatToParts(1_234_567.8);
  const separator = (type: "group" | "decimal") => parts.find((part) => part.type === type)?.value ?? "";
  return { thousandSeparator: separator("group"), decimalSeparator: separator("decimal") };
}

/**
 * Reads an amount that a person wrote in major units, such as "12.50", as minor units. Null if it is none. It is never
 * rounded: whoever writes more decimals than the currency has means another one, or thousands.
 */
export function parseMoney(text: string | number, currency: string): number | null {
  const [whole, decimals] = /^(?=\.?\d)\d*\.?(\d*)$/.exec(String(text).trim()) ?? [];
  if (whole === undefined || decimals!.length > decimalsOf(currency)) return null;
  const minor = Math.round(Number(whole) * 10 ** decimalsOf(currency));
  return Number.isSafeInteger(minor) ? minor : null;
}

/** What to write instead of an amount that is none in its currency. Null if it is one. */
export function problemOfMoney(text: string | number, currency: string): string | null {
  if (parseMoney(text, currency) !== null) return null;
  const decimals = decimalsOf(currency);
  return decimals === 0
    ? `Enter an amount without decimals, such as ${formatNumber(1250, 0)}`
    : `Enter an amount with up to ${decimals} decimals, such as ${formatNumber(12.5, decimals)}`;
}

/** Formats an amount in major units, without its currency. */
export const formatNumber = (value: number, decimals: number): string =>
  value.toLocaleString(undefined, { minimumFractionDigits: decimals });

/** Formats a calendar day. The API writes one as the start of a UTC day. */
export const formatDay = (day: Date | string): string =>
  dateFormat({ dateStyle: "medium", timeZone: "UTC" }).format(new Date(day));

/** Formats a span of calendar days, such as "Oct 1 – 31, 2026". */
export const formatDays = (first: Date, last: Date): string =>
  dateFormat({ dateStyle: "medium", timeZone: "UTC" }).formatRange(first, last);

/** Formats a day without its year, such as "Mar 2". */
export const formatShortDay = (day: Date): string =>
  dateFormat({ month: "short", day: "numeric", timeZone: "UTC" }).format(day);

/** Formats the day of an instant in a time zone. */
export const formatZonedDay = (instant: Date, timeZone: string): string =>
  dateFormat({ dateStyle: "medium", timeZone }).format(instant);

/** Formats a month that a calendar day begins, such as "Mar 2026". */
export const formatMonth = (day: Date | string): string =>
  dateFormat({ month: "short", year: "numeric", timeZone: "UTC" }).format(new Date(day));

/** Formats an instant in the organization's time zone, and names the zone. */
export const formatInstant = (instant: Date, timeZone: string): string =>
  dateFormat({
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZoneName: "short",
    timeZone,
  }).format(instant);

/** Whether an instant is within two days, so that a person needs its time too. */
export const isSoon = (instant: Date, now: Date = new Date()): boolean =>
  Math.abs(instant.getTime() - now.getTime()) < 2 * 86_400_000;

const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** Says how far an instant is away, such as "in 3 days" or "5 minutes ago". */
export function formatDistance(instant: Date, now: Date = new Date()): string {
  const away = instant.getTime() - now.getTime();
  const [unit, ms] = units.find(([, length]) => Math.abs(away) >= length) ?? (["second", 1000] as const);
  return relativeFormat.format(Math.round(away / ms), unit);
}

/** The end of the number of a card or an account, which a line does not break. */
export const lastDigits = (number: string): string => `••••\u00A0${number.slice(-4)}`;

/** "PAST_DUE", "food_and_drink" and "Food and drink" alike as "Food and drink". */
export function inWords(name: string): string {
  const words = name.replaceAll("_", " ").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A category in words. "FOOD_AND_DRINK" is "Food and drink", and what a person wrote, such as "HMRC VAT", stays. */
export const categoryInWords = (category: string): string =>
  /^([A-Z\d_]+|[a-z\d_]+)$/.test(category) ? inWords(category) : category;

// A format is expensive to make and a long table needs thousands of texts, so each is made once.
const relativeFormat = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });
const formats = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>();

function numberFormat(currency: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  return once(
    `${currency} ${JSON.stringify(options)}`,
    () => new Intl.NumberFormat(undefined, { style: "currency", currency, ...options }),
  );
}

function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return once(JSON.stringify(options), () => new Intl.DateTimeFormat(undefined, options));
}

function once<Format extends Intl.NumberFormat | Intl.DateTimeFormat>(
  key: string,
  make: () => Format,
): Format {
  const made = formats.get(key);
  if (made !== undefined) return made as Format;
  const format = make();
  formats.set(key, format);
  return format;
}
