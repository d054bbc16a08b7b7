import type { BankCashflow, CurrencyAmount } from "@purser/client";

/** What was spent in a category, in each of its currencies. */
export interface Spent {
  /** Null for transactions without one. */
  category: string | null;
  /** In the chosen currency first. */
  amounts: CurrencyAmount[];
  /** The length of its bar, from 0 to 1: its amount in the chosen currency, compared with the largest one. */
  share: number;
}

type Flow = Pick<BankCashflow, "category" | "currency" | "moneyOut">;

/** Adds up what was spent by category: the most in the chosen currency first, then what was spent in others only. */
export function spendingByCategory(flows: readonly Flow[], currency: string): Spent[] {
  const spent = flows.filter(({ moneyOut }) => moneyOut > 0);
  const categories = [...Map.groupBy(spent, ({ category }) => category ?? null)].map(([category, own]) => ({
    category,
    amounts: amountsOf(
      own.map((flow) => ({ currency: flow.currency, amount: flow.moneyOut })),
      currency,
    ),
  }));
  const inChosen = ({ amounts }: { amounts: readonly CurrencyAmount[] }) =>
    amounts.find((own) => own.currency === currency)?.amount ?? 0;
  const most = Math.max(1, ...categories.map(inChosen));
  return categories
    .map((own) => ({ ...own, share: inChosen(own) / most }))
    .toSorted((a, b) => b.share - a.share || (b.amounts[0]?.amount ?? 0) - (a.amounts[0]?.amount ?? 0));
}

/** What several categories add up to, by currency. */
export const sumOf = (categories: readonly Spent[], currency: string): CurrencyAmount[] =>
  amountsOf(
    categories.flatMap(({ amounts }) => amounts),
    currency,
  );

function amountsOf(parts: readonly CurrencyAmount[], first: string): CurrencyAmount[] {
  const rank = (currency: string) => (currency === first ? "" : currency);
  return [...Map.groupBy(parts, ({ currency }) => currency)]
    .map(([currency, own]) => ({ currency, amount: own.reduce((sum, { amount }) => sum + amount, 0) }))
    .toSorted((a, b) => rank(a.currency).localeCompare(rank(b.currency)));
}
