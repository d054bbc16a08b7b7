import { dayMs } from "@purser/core";
import type { TransactionData, TransactionStatus, TransactionType } from "../../ports.ts";
import { cleanAccountId, cleanExternalId } from "./cleaning.ts";
import type { LastPages } from "./last-pages.ts";
import type { WindowSummary } from "./window-summary.ts";

/** A transaction as the ledger has it, without what a person set: no sync reads or writes that. */
export interface LedgerRow {
  id: string;
  accountId: string;
  connectionId: string;
  externalId: string;
  /** The epoch of the account in which its bank used this external id. */
  idEpoch: number;
  status: TransactionStatus | "REMOVED";
  amount: number;
  rawAmount: string;
  currency: string;
  type: TransactionType;
  description: string;
  merchantName: string | null;
  transactionDate: string;
  category: string | null;
}

/** A transaction as the bank reports it, with our account id, and always with an external id. */
export interface Reported extends Omit<TransactionData, "accountId" | "externalId"> {
  accountId: string;
  externalId: string;
}

/** The result of reading a bank, except for the transactions, which are staged page by page. */
export interface BankReading {
  /** Where the next sync continues. */
  cursor: string;
  /** Keys ({@link removalKey}) of transactions that the bank removed and has not listed again since. */
  removed: ReadonlySet<string>;
  /** The first day that was read, for a bank that is read by days; otherwise null. */
  windowFrom: string | null;
  /** The first day of the accounts that were read from another day, by the bank's id of the account. */
  windows?: ReadonlyMap<string, string>;
  /** The accounts, by the bank's ids, whose transactions the bank refuses: nothing of them was read. */
  refused?: ReadonlySet<string>;
  /** Whether no earlier days are missing: the bank has none to add to its feed, and has refused none. */
  isHistoryComplete: boolean;
}

/** A reading whose pages are stored. */
export interface StagedReading extends BankReading {
  pages: number;
  /** Where each id of a change feed appears last. */
  lastPages: LastPages;
  /** What a list of days has; empty for a change feed. */
  window: WindowSummary;
}

/** Identifies a row within one connection. */
export const keyOf = ({ accountId, externalId }: { accountId: string; externalId: string }) =>
  `${accountId} ${externalId}`;

/**
 * Step 1, by external id or by the bank's own link: the row under the transaction's id, or under the id that the bank
 * says it had while it was pending. A removed row matches only in step 3.
 */
export function matchById(byId: ReadonlyMap<string, LedgerRow>, reported: Reported): LedgerRow | undefined {
  const rows = [byId.get(keyOf(reported)), findByLink(byId, reported)];
  return rows.find((row) => row !== undefined && row.status !== "REMOVED");
}

/** Step 3, a removed row: the bank lists it again, for example after an account is linked again and back. */
export function matchRemoved(
  byId: ReadonlyMap<string, LedgerRow>,
  reported: Reported,
): LedgerRow | undefined {
  const rows = [byId.get(keyOf(reported)), findByLink(byId, reported)];
  return rows.find((row) => row?.status === "REMOVED");
}

/** The row that the bank's link names: pending, or removed since. */
function findByLink(
  byId: ReadonlyMap<string, LedgerRow>,
  { accountId, pendingExternalId }: Reported,
): LedgerRow | undefined {
  if (pendingExternalId === null) return undefined;
  const row = byId.get(keyOf({ accountId, externalId: pendingExternalId }));
  return row?.status === "POSTED" ? undefined : row;
}

/**
 * Step 2, by content under another id: the same day, direction, amount and description, preferably with the same
 * status. Duplicates are matched in their order.
 */
export function matchByContent(candidates: readonly LedgerRow[], reported: Reported): LedgerRow | null {
  const alike = onSameDay(candidates, reported).filter((row) => row.description === reported.description);
  return preferStatus(alike, reported);
}

/**
 * Step 4, a row that the bank removes while it lists the same content with the same status under another id: it has given the
 * transaction a new id. Another amount or description is another transaction.
 */
export function matchReplaced(candidates: readonly LedgerRow[], reported: Reported): LedgerRow | null {
  const sameStatus = candidates.filter(({ status }) => status === reported.status);
  return matchByContent(sameStatus, reported);
}

/** Banks post a pending transaction within about a week. */
const postingDays = 8;

/**
 * Step 5, a pending row that was posted without a link: the same account, direction and exact amount within eight days.
 * The candidates are rows that the bank no longer lists; one that it lists is another purchase of the same price. More
 * than one candidate is no match.
 */
export function matchPosted(candidates: readonly LedgerRow[], reported: Reported): LedgerRow | null {
  if (reported.status !== "POSTED") return null;
  const fitting = candidates.filter(
    (row) =>
      row.status === "PENDING" &&
      hasSameAmount(row, reported) &&
      daysBetween(row.transactionDate, reported.date) <= postingDays,
  );
  return only(fitting);
}

/**
 * Step 6, by amount and day: the same day, direction and amount with another description, as another provider describes it after
 * an account is linked again. More than one candidate is no match: the row is new, and those that the bank does not list are
 * removed. While it has not listed everything (`isPartial`) they cannot be, and a new row would count the money twice: then
 * any candidate is a match, preferably one with the same status.
 */
export function matchByAmountAndDay(
  candidates: readonly LedgerRow[],
  reported: Reported,
  isPartial: boolean,
): LedgerRow | null {
  const alike = onSameDay(candidates, reported);
  return isPartial ? preferStatus(alike, reported) : only(alike);
}

/**
 * Whether a row that a merge brought may become what this bank reports. Another bank has posted the payment: as a pending
 * row it would leave the totals, and the ledger if this bank never posts it.
 */
export const mayBecome = (row: LedgerRow, { status }: Reported): boolean =>
  row.status !== "POSTED" || status === "POSTED";

/**
 * Step 7, a posted row that a merge brought from another connection: the same day, direction and amount, preferably with the
 * same description. The account has each amount as often as one of its two banks lists it, so any of them is a match.
 */
export function matchMerged(candidates: readonly LedgerRow[], reported: Reported): LedgerRow | null {
  const alike = onSameDay(candidates, reported).filter((row) => mayBecome(row, reported));
  return alike.find(({ description }) => description === reported.description) ?? alike[0] ?? null;
}

const preferStatus = (rows: readonly LedgerRow[], { status }: Reported): LedgerRow | null =>
  rows.find((row) => row.status === status) ?? rows[0] ?? null;

const only = <Row>(rows: readonly Row[]): Row | null => (rows.length === 1 ? rows[0]! : null);

const onSameDay = (candidates: readonly LedgerRow[], reported: Reported): LedgerRow[] =>
  candidates.filter((row) => hasSameAmount(row, reported) && row.transactionDate === reported.date);

const hasSameAmount = (row: LedgerRow, { accountId, amount, currency, type }: Reported): boolean =>
  row.accountId === accountId && row.amount === amount && row.currency === currency && row.type === type;

const daysBetween = (one: string, other: string): number =>
  Math.abs(Date.parse(one) - Date.parse(other)) / dayMs;

/**
 * Whether a report cannot be about the row under its id. Banks reuse ids, but amount, direction and currency of a posted
 * transaction never change. Those of a pending one may, except within a page that lists its id twice (`isAgainOnPage`).
 */
export function conflictsWithRow(row: LedgerRow, reported: Reported, isAgainOnPage = false): boolean {
  const isFixed = row.status === "POSTED" || (isAgainOnPage && row.status === reported.status);
  return isFixed && !hasSameAmount(row, reported);
}

/** Whether the row already says what the bank reports, under the same id. */
export function isUnchanged(
  row: LedgerRow,
  connectionId: string,
  idEpoch: number,
  reported: Reported,
): boolean {
  return (
    row.connectionId === connectionId &&
    row.externalId === reported.externalId &&
    row.idEpoch === idEpoch &&
    row.status === reported.status &&
    row.amount === reported.amount &&
    row.rawAmount === reported.rawAmount &&
    row.currency === reported.currency &&
    row.type === reported.type &&
    row.description === reported.description &&
    row.merchantName === reported.merchantName &&
    row.transactionDate === reported.date &&
    row.category === reported.category
  );
}

/** Whether the row is posted now, and was not posted before with this amount on this day. */
export const isPostedDifferently = (before: LedgerRow, after: LedgerRow): boolean =>
  after.status === "POSTED" && (before.status !== "POSTED" || amountOnDay(before) !== amountOnDay(after));

/** Identifies what counts as the same payment in two banks' words. */
export const amountOnDay = ({ accountId, transactionDate, type, amount, currency }: LedgerRow): string =>
  [accountId, transactionDate, type, amount, currency].join(" ");

/**
 * Splits a page into batches in which no id appears twice, and in which a posted transaction comes after the pending
 * one that it was. Each batch is matched and written together.
 */
export function splitIntoBatches(reported: readonly Reported[]): Reported[][] {
  const batches: Reported[][] = [];
  // The batch in which an id appears last.
  const last = new Map<string, number>();
  for (const one of reported) {
    const own = keyOf(one);
    const pending =
      one.pendingExternalId === null
        ? own
        : keyOf({ accountId: one.accountId, externalId: one.pendingExternalId });
    const batch = Math.max(last.get(own) ?? -1, last.get(pending) ?? -1) + 1;
    (batches[batch] ??= []).push(one);
    last.set(own, batch);
    last.set(pending, batch);
  }
  return batches;
}

/**
 * The key of a removal, with the ids as they are stored. `accountId` is the bank's id of the account; null if the bank does
 * not name the account.
 */
export function removalKey(accountId: string | null, externalId: string): string {
  return JSON.stringify([accountId && cleanAccountId(accountId), cleanExternalId(externalId) ?? ""]);
}

/** Whether the bank says that it removed this transaction. */
export function isRemoved(
  { removed }: Pick<BankReading, "removed">,
  { accountId, externalId }: { accountId: string | null; externalId: string | null },
): boolean {
  if (removed.size === 0 || externalId === null || cleanExternalId(externalId) === null) return false;
  return removed.has(removalKey(accountId, externalId)) || removed.has(removalKey(null, externalId));
}

/** What identifies a transaction without an id. Duplicates of one day are distinguished by a number. */
export function contentOf(transaction: Omit<TransactionData, "externalId">): string {
  const { accountId, date, amount, currency, type, description } = transaction;
  return JSON.stringify([accountId, date, amount, currency, type, description]);
}

/** The first character of ids that we make, so that they are never mistaken for a bank's. */
const syntheticIdPrefix = "~";

/** The prefix of the ids made of this content. The number of the duplicate follows. */
export const idPrefix = (digest: string): string => `${syntheticIdPrefix}${digest}~`;

/** An id that no bank uses, for a row whose own id now belongs to another row. */
export const formerId = ({ id }: Pick<LedgerRow, "id">): string => `${syntheticIdPrefix}${id}`;

/** Whether we made this id because the bank gave none. */
export const isSyntheticId = (externalId: string): boolean => externalId.startsWith(syntheticIdPrefix);
