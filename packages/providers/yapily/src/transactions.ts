import type { Access, TransactionData } from "@purser/banking/ports";
import { readYapilyAccounts, callWithConsent } from "./accounts.ts";
import type { Schemas } from "./api.ts";
import type { YapilyClient } from "./client.ts";
import { YapilyError, unreadableError } from "./errors.ts";
import { mapYapilyTransaction } from "./mapping.ts";

type Row = Schemas["Transaction"];

interface Page {
  rows: Row[];
  /** How many rows there are, on all pages. */
  total: number;
}

const name = "GET /accounts/{id}/transactions";
/** The most that Yapily gives at once. */
const pageSize = 1000;
/** How many rows of a page are read again with the next one. */
const overlap = 100;
/** How often the rows may move too far before the bank counts as out of order. */
const mostReturns = 10;

/**
 * See {@link WindowFeed.transactions}. Pages are counted off by an offset, under which rows move while they are read.
 * The oldest come first, so that new ones arrive ahead of the reader. Where a row vanishes, as pending ones do, the
 * rest moves forward, past the reader: so each page begins within the one before. Where it then shares no row with
 * that one, more has vanished than they overlap, and the reader goes further back.
 */
export async function* readYapilyTransactions(
  yapily: YapilyClient,
  access: Access,
  accountId: string,
  from: string,
  signal: AbortSignal,
): AsyncGenerator<TransactionData[]> {
  let offset = 0;
  let returns = 0;
  let previous: Row[] = [];
  for (;;) {
    const page = await readPage(yapily, access, accountId, { from, offset }, signal);
    if (page === null) return;
    const { rows, total } = page;
    const fresh = unread(rows, previous);
    const isDetached = offset > 0 && fresh.length === rows.length;
    if (isDetached) {
      returns += 1;
      if (returns > mostReturns) throw unreadableError(name, "the rows keep moving");
      offset = Math.max(0, offset - pageSize / 2);
      continue;
    }
    if (fresh.length > 0) yield fresh.map((row) => mapYapilyTransaction(accountId, row));
    if (offset + rows.length >= total) return;
    if (rows.length === 0) throw unreadableError(name, "rows are missing");
    previous = rows;
    offset += rows.length - Math.min(overlap, Math.floor(rows.length / 2));
  }
}

/**
 * What of a page was not on the one before: each row there accounts for one that is equal in every field. It is not
 * told by ids, because banks give one id to two transactions, or none.
 */
function unread(rows: Row[], previous: Row[]): Row[] {
  const read = new Map<string, number>();
  for (const row of previous) read.set(JSON.stringify(row), (read.get(JSON.stringify(row)) ?? 0) + 1);
  return rows.filter((row) => {
    const text = JSON.stringify(row);
    const times = read.get(text) ?? 0;
    read.set(text, times - 1);
    return times <= 0;
  });
}

/** A page, or null where the bank has the account no more. */
async function readPage(
  yapily: YapilyClient,
  access: Access,
  accountId: string,
  { from, offset }: { from: string; offset: number },
  signal: AbortSignal,
): Promise<Page | null> {
  const path = { accountId };
  const query = { from: `${from}T00:00:00.000Z`, limit: pageSize, offset, sort: "date" } as const;
  try {
    const { data, meta } = await callWithConsent(yapily, access, (consent, refusals) =>
      yapily.call(
        name,
        (api, within) =>
          api.GET("/accounts/{accountId}/transactions", {
            params: { path, query, header: { consent } },
            signal: within,
          }),
        { refusals, signal },
      ),
    );
    if (!Array.isArray(data)) throw unreadableError(name, "no list");
    const total = meta?.pagination?.totalCount ?? (data.length < pageSize ? 0 : Number.POSITIVE_INFINITY);
    return { rows: data, total };
  } catch (error) {
    if (await isAccountGone(yapily, access, accountId, error)) return null;
    throw error;
  }
}

/** An account that is not found is gone only where the bank's list of accounts says so as well. */
async function isAccountGone(
  yapily: YapilyClient,
  access: Access,
  accountId: string,
  error: unknown,
): Promise<boolean> {
  if (!(error instanceof YapilyError && error.status === 404)) return false;
  const accounts = await readYapilyAccounts(yapily, access);
  return accounts.every(({ externalId }) => externalId !== accountId);
}
