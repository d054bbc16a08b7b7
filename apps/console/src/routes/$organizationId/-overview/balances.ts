import type { BankAccount, BankBalances } from "@purser/client";
import { isConnected } from "../../../data/lists.ts";

export interface CurrencyTotal {
  currency: string;
  balance: number;
  accounts: number;
  /** What the accounts of disconnected banks had when they were last read. Null without such accounts. */
  disconnected: number | null;
}

/**
 * Adds up the balances by currency. That of the most accounts comes first. The money of a disconnected bank is not counted,
 * because it may be in another account by now.
 */
export function totalsOf(accounts: readonly BankAccount[]): CurrencyTotal[] {
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

/** Adds up the balances of connected accounts in a currency day by day. */
export function balanceByDay(
  report: readonly BankBalances[],
  accounts: readonly BankAccount[],
  currency: string,
): { at: Date; value: number }[] {
  const counted = new Set(accounts.filter(isConnected).map(({ id }) => id));
  const sums = new Map<string, number>();
  for (const own of report)
    if (own.currency === currency && counted.has(own.accountId))
      for (const { date, balance } of own.points) sums.set(date, (sums.get(date) ?? 0) + balance);
  return [...sums]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([day, value]) => ({ at: new Date(day), value }));
}

const sumOfBalances = (accounts: readonly BankAccount[]): number =>
  accounts.reduce((sum, { balance }) => sum + balance, 0);
