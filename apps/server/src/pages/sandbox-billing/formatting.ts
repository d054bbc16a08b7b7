import type { CheckoutPage } from "@purser/billing/sandbox";
import { currencyExponent } from "@purser/core";

/** Formats an amount of minor units. `Intl` has fewer decimals than ISO 4217 for some currencies, such as HUF. */
export function formatMinorUnits(minorUnits: number, currency: string): string {
  const decimals = currencyExponent(currency);
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  const format = new Intl.NumberFormat("en-US", { style: "currency", currency, ...digits });
  return format.format(minorUnits / 10 ** decimals);
}

/** Formats a price with its interval: £29.00 a month, £12.00 every 3 months. */
export function formatPrice({
  price,
  currency,
  interval,
  interval_count: count,
}: CheckoutPage["variant"]): string {
  return `${formatMinorUnits(price, currency)} ${count === 1 ? `a ${interval}` : `every ${count} ${interval}s`}`;
}

const inUtc = (style: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat("en-US", { ...style, timeZone: "UTC" });
const days = inUtc({ dateStyle: "long" });
const shortDays = inUtc({ dateStyle: "medium" });
const times = inUtc({ timeStyle: "short" });

/** Formats a day in UTC: March 2, 2026. */
export const formatBillingDay = (instant: Date): string => days.format(instant);

/** Formats a day in UTC briefly: Mar 2, 2026. */
export const formatShortBillingDay = (instant: Date): string => shortDays.format(instant);

/** Formats an instant: March 2, 2026, 9:00 AM UTC. */
export const formatBillingInstant = (instant: Date): string =>
  `${formatBillingDay(instant)}, ${times.format(instant)} UTC`;
