import {
  type Access,
  BankError,
  type ReportUnreadable,
  type TransactionData,
  mapReadable,
} from "@purser/banking/ports";
import { dayMs } from "@purser/core";
import { callWithConsent, listYapilyAccounts, refusesAccount } from "./accounts.ts";
import type { Schemas } from "./api.ts";
import type { YapilyClient } from "./client.ts";
import { YapilyError, unreadableError } from "./errors.ts";
import { mapYapilyTransaction } from "./mapping.ts";

type Row = Schemas["Transaction"];

interface TransactionsRequest {
  access: Access;
  accountId: string;
  /** The first day. */
  from: string;
  /** The time zone of the bank's days. */
  timeZone: string;
}

interface Page {
  rows: Row[];
  /** The number of rows on all pages. */
  total: number;
}

const name = "GET /accounts/{id}/transactions";
/**
 * How many days before the first day a request begins. The bank's day begins some hours before the day in UTC, and the
 * vendor may compare `from` with the date of a purchase, which the bank books up to a week later.
 */
export const earlierDays = 8;
/**
 * How many days back every bank lists transactions: 90, less half a day for the bank's time zone and the time until the
 * request arrives. This still holds the whole first day of {@link minHistoryDays}.
 */
const servedDays = 89.5;
/** The maximum of `limit`. */
const pageSize = 1000;
/** How many rows of a page the next page repeats. */
const overlap = 100;
/** How often the reader goes back before it gives up. */
const maxReturns = 10;

/**
 * Implements {@link WindowFeed.transactions}. Pages have an offset, and rows move between two requests.
 *
 * The oldest rows come first, so new rows arrive after the reader's position. If a row disappears, as pending ones do,
 * later rows move before the reader's position. So each page overlaps the one before. If two pages share no row, more
 * rows have disappeared than the pages overlap, and the reader goes back.
 */
export async function* readYapilyTransactions(
  yapily: YapilyClient,
  { access, accountId, from, timeZone }: TransactionsRequest,
  signal: AbortSignal,
  report?: ReportUnreadable,
): AsyncGenerator<TransactionData[]> {
  const map = (row: Row) => {
    const data = mapYapilyTransaction(accountId, row, timeZone);
    return data.date < from ? null : data;
  };
  const since = requestedSince(from, yapily);
  const keyOf = ({ id }: Row) => ({ kind: "transaction", accountId, externalId: id ?? null }) as const;
  let offset = 0;
  let returns = 0;
  let previous: Row[] = [];
  /** How many rows the next page repeats if no row moves. */
  let repeated = 0;
  for (;;) {
    const { rows, total } = await readPage(yapily, access, accountId, { from, since, offset }, signal);
    const fresh = newRows(rows, previous, repeated);
    const isDetached = offset > 0 && fresh.length === rows.length;
    if (isDetached) {
      returns += 1;
      if (returns > maxReturns) throw unreadableError(name, "the rows keep moving");
      offset = Math.max(0, offset - pageSize / 2);
      continue;
    }
    if (fresh.length > 0) yield mapReadable(fresh, map, keyOf, report);
    if (offset + rows.length >= total) return;
    if (rows.length === 0) throw unreadableError(name, "rows are missing");
    previous = rows;
    repeated = Math.min(overlap, Math.floor(rows.length / 2));
    offset += rows.length - repeated;
  }
}

/**
 * Returns the rows that the previous page does not hold. If no row has moved, the page begins with the last rows of that one.
 * Otherwise each row of the previous page accounts for one equal row. Ids do not decide, because some banks give two
 * transactions the same id, or none.
 */
function newRows(rows: Row[], previous: Row[], repeated: number): Row[] {
  const isUnmoved = JSON.stringify(rows.slice(0, repeated)) === JSON.stringify(previous.slice(-repeated));
  if (repeated > 0 && isUnmoved) return rows.slice(repeated);
  const counts = new Map<string, number>();
  for (const row of previous) counts.set(JSON.stringify(row), (counts.get(JSON.stringify(row)) ?? 0) + 1);
  return rows.filter((row) => {
    const text = JSON.stringify(row);
    const count = counts.get(text) ?? 0;
    counts.set(text, count - 1);
    return count <= 0;
  });
}

/** Reads a page. */
async function readPage(
  yapily: YapilyClient,
  access: Access,
  accountId: string,
  { from, since, offset }: { from: string; since: string; offset: number },
  signal: AbortSignal,
): Promise<Page> {
  const path = { accountId };
  const query = { from: since, limit: pageSize, offset, sort: "date" } as const;
  try {
    const { data, meta } = await callWithConsent(yapily, access, (header, errorKinds) =>
      yapily.call(
        name,
        (api, callSignal) =>
          api.GET("/accounts/{accountId}/transactions", {
            params: { path, query, header },
            signal: callSignal,
          }),
        { errorKinds, signal },
      ),
    );
    if (!Array.isArray(data)) throw unreadableError(name, "no array");
    const total = meta?.pagination?.totalCount ?? (data.length < pageSize ? 0 : Number.POSITIVE_INFINITY);
    return { rows: data, total };
  } catch (error) {
    const isTooEarly = offset === 0 && isTooOld(from, yapily) && isRefusal(error);
    const isOfAccount = error instanceof YapilyError && refusesAccount(error);
    if (!isTooEarly && !isOfAccount) throw error;
    // The consent is in force if the bank still lists its accounts. Otherwise this throws.
    const listed = await listYapilyAccounts(yapily, access);
    if (isTooEarly)
      throw new BankError("history_unavailable", `Yapily, ${name}: the bank refuses days since ${from}`);
    if (listed.some(({ id }) => id === accountId))
      throw new BankError("account_refused", `Yapily, ${name}: the bank refuses the account`);
    // If the account has ended since the accounts were read, the next sync does not find it.
    throw new BankError("outage", `Yapily, ${name}: the bank no longer lists the account`);
  }
}

/**
 * The time since which to request what the bank booked from this day on. It is not before the time since which every bank
 * lists transactions, unless the day is.
 */
function requestedSince(from: string, yapily: YapilyClient): string {
  const early = Date.parse(from) - earlierDays * dayMs;
  const since = isTooOld(from, yapily) ? early : Math.max(early, servedSince(yapily));
  return new Date(since).toISOString();
}

/**
 * Whether these days are before those that every bank lists. Many banks list older ones only within five minutes of the
 * person's sign-in. See https://docs.yapily.com/data/financial-data-resources/financial-data-consents and
 * https://docs.yapily.com/data/financial-data-resources/data-restrictions.
 */
const isTooOld = (from: string, yapily: YapilyClient): boolean => Date.parse(from) < servedSince(yapily);

const servedSince = ({ clock }: YapilyClient): number => clock.now().getTime() - servedDays * dayMs;

const isRefusal = (error: unknown): boolean =>
  error instanceof YapilyError && [400, 403, 422].includes(error.status);
