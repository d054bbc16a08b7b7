import type {
  BankTransactionStatus,
  BankTransactionType,
  BankingTransactionsListInput,
} from "@purser/client";

/** What the address of the page says: the filters, and the transaction that is open. */
export interface TransactionSearch {
  query?: string;
  accountId?: string;
  connectionId?: string;
  /** A calendar day, such as `2026-03-01`. */
  from?: string;
  to?: string;
  type?: BankTransactionType;
  category?: string;
  status?: BankTransactionStatus;
  /** In minor units. */
  minAmount?: number;
  maxAmount?: number;
  selected?: string;
}

/** Reads the address. What it cannot read, it leaves out. */
export function readTransactionSearch(raw: Record<string, unknown>): TransactionSearch {
  const read = {
    query: text(raw["query"]),
    accountId: text(raw["accountId"]),
    connectionId: text(raw["connectionId"]),
    from: day(raw["from"]),
    to: day(raw["to"]),
    type: readOneOf(["CREDIT", "DEBIT"] as const, raw["type"]),
    category: text(raw["category"]),
    status: readOneOf(["PENDING", "POSTED"] as const, raw["status"]),
    minAmount: amount(raw["minAmount"]),
    maxAmount: amount(raw["maxAmount"]),
    selected: text(raw["selected"]),
  };
  return withoutUndefined(read);
}

/** Removes filters that are off, so that the address names only those that are on. */
export const withoutUndefined = (search: {
  [Name in keyof TransactionSearch]: TransactionSearch[Name] | undefined;
}): TransactionSearch =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as TransactionSearch;

/** What the service is asked for. */
export function listInput(
  teamId: string,
  { selected: _selected, query, from, to, status, ...search }: TransactionSearch,
): BankingTransactionsListInput {
  return {
    teamId,
    ...search,
    // The service refuses a search without a word, such as "£" before the amount is written.
    ...(query !== undefined && hasWord.test(query) && { query }),
    status: status ?? "ALL",
    ...(from !== undefined && { from: new Date(from) }),
    ...(to !== undefined && { to: new Date(to) }),
  };
}

const hasWord = /[\p{L}\p{N}]/u;

/** What is wrong with a range, at the field that ends it. The service refuses such a range. */
export const rangeProblems = ({ from, to, minAmount, maxAmount }: TransactionSearch) => ({
  to: from !== undefined && to !== undefined && from > to ? "This is before the first day" : null,
  maxAmount:
    minAmount !== undefined && maxAmount !== undefined && minAmount > maxAmount
      ? "This is less than the minimum"
      : null,
});

/** Whether no range ends before it begins. */
export function hasOrderedRanges(search: TransactionSearch): boolean {
  const { to, maxAmount } = rangeProblems(search);
  return to === null && maxAmount === null;
}

/**
 * Whether the service has a report of just these transactions. It knows days, an account and categories, and only what is booked.
 * Its days end today, while banks also book ahead.
 */
export function hasReport(
  { from, to, query, connectionId, status, minAmount, maxAmount }: TransactionSearch,
  today: string,
): boolean {
  if (from === undefined || to === undefined || from > to || to > today) return false;
  const others = [query, connectionId, minAmount, maxAmount];
  return status !== "PENDING" && others.every((filter) => filter === undefined);
}

// The router reads `?query=2026` as a number.
const text = (value: unknown): string | undefined =>
  (typeof value === "string" && value !== "") || typeof value === "number" ? String(value) : undefined;

const amount = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;

const day = (value: unknown): string | undefined =>
  typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined;

const readOneOf = <Value extends string>(values: readonly Value[], value: unknown): Value | undefined =>
  values.find((known) => known === value);
