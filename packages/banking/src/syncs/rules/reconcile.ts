import type { TransactionData } from "../../ports.ts";

/** A transaction as the ledger has it. */
export interface LedgerRow {
  id: string;
  accountId: string;
  connectionId: string;
  externalId: string;
  status: "PENDING" | "POSTED" | "REMOVED";
  amount: number;
  rawAmount: string;
  currency: string;
  type: "CREDIT" | "DEBIT";
  description: string;
  transactionDate: string;
  category: string | null;
}

/** A transaction as the bank has it, with our account, and an id in any case. */
export interface Reported extends Omit<TransactionData, "accountId" | "externalId"> {
  accountId: string;
  externalId: string;
}

/**
 * Whether a bank's words cannot be about this row: ids lie, but a posted amount does not change, and no amount does
 * within a page that says the same id twice (`isRepeated`).
 */
export function conflictsWithRow(row: LedgerRow, reported: Reported, isRepeated = false): boolean {
  if (row.currency !== reported.currency || row.type !== reported.type) return true;
  const isFixed = row.status === "POSTED" || (isRepeated && row.status === reported.status);
  return isFixed && row.amount !== reported.amount;
}

/** Whether the ledger says already what the bank says, under the same id. */
export function isUnchanged(row: LedgerRow, connectionId: string, reported: Reported): boolean {
  return (
    row.connectionId === connectionId &&
    row.externalId === reported.externalId &&
    row.status === reported.status &&
    row.amount === reported.amount &&
    row.rawAmount === reported.rawAmount &&
    row.description === reported.description &&
    row.transactionDate === reported.date &&
    row.category === reported.category
  );
}

/** Banks post what was pending within about a week. */
const postingDays = 8;

/**
 * The pending row that has become this posted transaction, where the bank does not say so itself: the same account,
 * direction and exact amount within eight days, only where a single one can be meant. The candidates are rows that
 * the bank does not list any more; one that is still listed is another purchase of the same price.
 */
export function findPosted(candidates: readonly LedgerRow[], reported: Reported): LedgerRow | null {
  const [match, ...others] = candidates.filter(
    (row) =>
      row.status === "PENDING" &&
      row.accountId === reported.accountId &&
      row.amount === reported.amount &&
      row.currency === reported.currency &&
      row.type === reported.type &&
      daysBetween(row.transactionDate, reported.date) <= postingDays,
  );
  return match !== undefined && others.length === 0 ? match : null;
}

/**
 * The row that says the same as this transaction, under another id: the same day, direction, amount and description,
 * by preference with the same status. Twins are taken in the order in which they came.
 */
export function matchByContent(candidates: readonly LedgerRow[], reported: Reported): LedgerRow | null {
  const alike = fitting(candidates, reported).filter((row) => row.description === reported.description);
  return alike.find((row) => row.status === reported.status) ?? alike[0] ?? null;
}

/**
 * The row that may be this transaction although the bank describes it otherwise by now, as another provider does
 * after an account was linked again: the same day, direction and amount, only where a single one can be meant.
 */
export function matchByAmountAndDay(candidates: readonly LedgerRow[], reported: Reported): LedgerRow | null {
  const [match, ...others] = fitting(candidates, reported);
  return match !== undefined && others.length === 0 ? match : null;
}

function fitting(candidates: readonly LedgerRow[], reported: Reported): LedgerRow[] {
  return candidates.filter(
    (row) =>
      row.accountId === reported.accountId &&
      row.amount === reported.amount &&
      row.currency === reported.currency &&
      row.type === reported.type &&
      row.transactionDate === reported.date,
  );
}

function daysBetween(one: string, other: string): number {
  return Math.abs(Date.parse(one) - Date.parse(other)) / (24 * 60 * 60 * 1000);
}

/** What a transaction without an id is known by: its content. Twins of one day are told apart by their number. */
export function contentOf(facts: Omit<TransactionData, "externalId">): string {
  const { accountId, date, amount, currency, type, description } = facts;
  return JSON.stringify([accountId, date, amount, currency, type, description]);
}

/** A bank's text as a database and a JSON parser take it: without U+0000 and halves of characters, bounded. */
export function cleanText(text: string): string {
  return text.replaceAll("\0", "").toWellFormed().slice(0, 1000).toWellFormed();
}

/** What ids of ours begin with, so that they are never mistaken for a bank's. */
const ownMark = "~";

/** The beginning of the ids that stand for this content; the number of the twin follows. */
export const idPrefix = (digest: string): string => `${ownMark}${digest}~`;

/** An id that no bank gives any more, for a row that has lost its own to another one. */
export const formerId = ({ id }: LedgerRow): string => `${ownMark}${id}`;

/** Whether this id is one of ours, in place of one that the bank did not give. */
export const isOwnId = (externalId: string): boolean => externalId.startsWith(ownMark);
