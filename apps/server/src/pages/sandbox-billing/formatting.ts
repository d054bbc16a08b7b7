import type { CheckoutPage } from "@purser/billing/sandbox";

/** Formats an amount of minor units. */
export function formatMinorUnits(minorUnits: number, currency: string): string {
  const format = new Intl.NumberFormat("en-GB", { style: "currency", currency });
  return format.format(minorUnits / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
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
  new Intl.DateTimeFormat("en-GB", { ...style, timeZone: "UTC" });
const days = inUtc({ dateStyle: "long" });
const shortDays = inUtc({ dateStyle: "medium" });
const times = inUtc({ timeStyle: "short" });

/** Formats a day in UTC: 2 March 2026. */
export const formatBillingDay = (instant: Date): string => days.format(instant);

/** Formats a day in UTC briefly: 2 Mar 2026. */
export const formatShortBillingDay = (instant: Date): string => shortDays.format(instant);

/** Formats an instant: 2 March 2026, 09:00 UTC. */
export const formatBillingInstant = (instant: Date): string =>
  `${formatBillingDay(instant)}, ${times.format(instant)} UTC`;
