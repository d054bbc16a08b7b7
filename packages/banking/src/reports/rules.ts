import { type ReportDays, addToDay, eachDay, reportedSum, utcDay } from "@purser/core";
import type { CashflowInterval } from "./contract.ts";

/** The net money of an account on one day of a report, or on all days after its last; null for no transactions. */
export interface AccountNet {
  accountId: string;
  currency: string;
  /** The present balance. */
  balance: number;
  /** Whether it is the sum of the transactions. */
  isBalanceCurrent: boolean;
  /** The day before its first transaction, while the bank has yet to add earlier ones; otherwise null. */
  knownSince: string | null;
  day: string | null;
  /** Money in less money out, which may be beyond JavaScript's exact integers. */
  net: string;
}

/**
 * Computes the closing balances of one account backwards: each day's is the next one's less the money between. There are none
 * if the balance and the transactions are of different readings, and none before `knownSince`.
 */
export function closingBalances(nets: readonly AccountNet[], days: readonly string[]) {
  const { isBalanceCurrent, knownSince } = nets[0]!;
  if (!isBalanceCurrent) return [];
  const known = knownSince === null ? days : days.filter((day) => day >= knownSince);
  const byDay = new Map(nets.map(({ day, net }) => [day, BigInt(net)]));
  let balance = BigInt(nets[0]!.balance) - (byDay.get(null) ?? 0n);
  const points: { date: string; balance: number }[] = [];
  for (const date of known.toReversed()) {
    points.push({ date, balance: reportedSum(balance) });
    balance -= byDay.get(date) ?? 0n;
  }
  return points.toReversed();
}

/** The money of a period in one currency and, if the report is grouped, one category. */
export interface PeriodTotal {
  currency: string;
  start: string;
  moneyIn: number;
  moneyOut: number;
  category?: string | null;
}

/**
 * Lists every period of every currency, or of every category of a currency, with zeros where there is no total. A currency
 * without money has one group, of no category.
 */
export function withEmptyPeriods(
  totals: readonly PeriodTotal[],
  currencies: readonly string[],
  periods: readonly string[],
  isGrouped: boolean,
): PeriodTotal[] {
  const none = { start: periods[0]!, moneyIn: 0, moneyOut: 0, ...(isGrouped && { category: null }) };
  const zeros = currencies
    .filter((currency) => totals.every((total) => total.currency !== currency))
    .map((currency): PeriodTotal => ({ currency, ...none }));
  const keyOf = ({ currency, category }: PeriodTotal) => `${currency} ${category ?? ""}`;
  const groups = Map.groupBy([...totals, ...zeros], keyOf);
  return [...groups]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, ofGroup]) => {
      const byStart = new Map(ofGroup.map((total) => [total.start, total]));
      const group = { ...ofGroup[0]!, moneyIn: 0, moneyOut: 0 };
      return periods.map((start) => byStart.get(start) ?? { ...group, start });
    });
}

/** The first days of the periods that have a day of the report, oldest first. */
export function periodsOf(days: ReportDays, interval: CashflowInterval): string[] {
  if (interval === "day") return eachDay(days);
  const starts: string[] = [];
  // 31 days after the first of a month is in the next one.
  const step = interval === "month" ? 31 : 7;
  for (
    let start = periodStart(days.first, interval);
    start <= days.last;
    start = periodStart(addToDay(start, step), interval)
  )
    starts.push(start);
  return starts;
}

function periodStart(day: string, interval: "week" | "month"): string {
  if (interval === "month") return `${day.slice(0, 7)}-01`;
  const date = new Date(day);
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return utcDay(date);
}
