/** Formats an amount in minor units, such as cents, with as many decimals as the currency has. */
export function formatMoney(amount: number, currency: string, options: Intl.NumberFormatOptions = {}): string {
  const format = new Intl.NumberFormat(undefined, { style: "currency", currency, ...options });
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat(undefined, {
    style: "currency",
    currency,
  }).resolvedOptions();
  return format.format(amount / 10 ** maximumFractionDigits);
}

/** Formats a calendar day. The API writes one as the start of a UTC day. */
export const formatDay = (day: Date | string): string =>
  new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" }).format(new Date(day));

/** Formats an instant in the organization's time zone, and names the zone. */
export const formatInstant = (instant: Date, timeZone: string): string =>
  new Intl.DateTimeFormat(undefined, {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZoneName: "short",
    timeZone,
  }).format(instant);
