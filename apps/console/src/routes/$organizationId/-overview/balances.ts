import type { BankAccount, BankBalances } from "@purser/client";
import { isConnected } from "../../../data/lists.ts";

export interface CurrencyTotal {
  currency: string;
  balance: number;
  accounts: number;
  /** What the accounts that are no longer read had last. Null without such accounts. */
  disconnected: number | null;
}

/**
 * Adds up the balances by currency. That of the most accounts comes first. The money of an account that is no longer read is
 * not counted, because it may be in another one by now.
 */
export function totalBalances(accounts: readonly BankAccount[]): CurrencyTotal[] {
  return [...Map.groupBy(accounts, ({ currency }) => currency)]
    .map(([currency, own]) => {
      const connected = own.filter(isConnected);
      const others = own.filter((account) => !isConnected(account));
      return {
        currency,
        balance: sumOfBalances(connected),
        accounts: connected.length,
        disconnected: others.length === 0 ? null : sumOfBalances(others),
      };
    })
    .toSorted((a, b) => b.accounts - a.accounts || a.currency.localeCompare(b.currency));
}

/**
 * Adds up the balances of connected accounts in a currency day by day. `unknown` counts those without: their balance and
 * their transactions come from different readings, so that the service cannot compute earlier balances.
 */
export function balanceByDay(
  report: readonly BankBalances[],
  accounts: readonly BankAccount[],
  currency: string,
): { points: { at: Date; value: number }[]; unknown: number } {
  const counted = accounts.filter((account) => account.currency === currency && isConnected(account));
  const sums = new Map<string, number>();
  let unknown = 0;
  for (const { id } of counted) {
    const points = report.find(({ accountId }) => accountId === id)?.points ?? [];
    if (points.length === 0) unknown += 1;
    for (const { date, balance } of points) sums.set(date, (sums.get(date) ?? 0) + balance);
  }
  const points = [...sums]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([day, value]) => ({ at: new Date(day), value }));
  return { points, unknown };
}

/** Which accounts a plot of balances leaves out. Null if none. */
export const withoutUnknown = (unknown: number): string | null =>
  unknown === 0
    ? null
    : `Without ${unknown === 1 ? "1 account" : `${unknown} accounts`} whose earlier balances are not known`;

const sumOfBalances = (accounts: readonly BankAccount[]): number =>
  accounts.reduce((sum, { balance }) => sum + balance, 0);
