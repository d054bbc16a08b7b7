import { currencyDecimals } from "./generated/currency-decimals.ts";

/**
 * Returns how many decimals the amounts of a currency have: 10 to the power of it minor units are one major unit. They are
 * those of ISO 4217, which the server uses. `Intl` has fewer for some currencies, such as 0 instead of 2 for HUF.
 *
 * ```ts
 * const major = amount / 10 ** decimalsOf(currency); // 1250 in EUR is 12.5
 * ```
 */
export const decimalsOf = (currency: string): number => currencyDecimals[currency] ?? 2;
