import { randomBytes } from "node:crypto";
import { Problem, csvCell, csvEndOfLine, dayMs, utcDay, wordsOf } from "@purser/core";
import type { CsvPage, Executor } from "@purser/db";
import type { ListContext } from "@purser/organizations";
import { type CsvLines, requireItem, toPage } from "@purser/platform";
import type { z } from "zod";
import { findAccountOwner, listAccountIds, listAccountsById } from "../../accounts/store/list.ts";
import { findConnection } from "../../connections/store.ts";
import type { TransactionStatus } from "../../ports.ts";
import type { ListTransactions } from "../contract.ts";
import type { Search } from "../lexemes.ts";
import { csvAccountColumns, findTransactionLines, listTransactionLines } from "../store/csv.ts";
import {
  type ListedRow,
  type TransactionFilter,
  findListPosition,
  listTransactionRows,
} from "../store/list.ts";
import { searchTransactionRows } from "../store/search.ts";
import { AccountMerged, despiteMerge, withAccounts } from "./read.ts";

type Input = z.output<typeof ListTransactions>;
/** Lists a page, newest day first. A day that the bank names is in the range if it begins there, in UTC. */
export function listTransactions(ctx: ListContext, input: Input) {
  const { teamId: organizationId, limit } = input;
  return despiteMerge(async () => {
    const rows = await listMatches(ctx, input, await filterOf(ctx, input), limit + 1);
    return toPage(ctx, limit, await withAccounts(ctx, ctx.readDb, organizationId, rows));
  });
}

type Filter = Omit<TransactionFilter, "status">;

async function filterOf(ctx: ListContext, input: Input): Promise<Filter> {
  const { teamId: organizationId, type, category } = input;
  const [accountIds, after] = await Promise.all([
    selectAccounts(ctx, input),
    requireItem(input.after, (id) => findListPosition(ctx.readDb, organizationId, id)),
  ]);
  return { organizationId, accountIds, ...daysWithin(input), type, category, after };
}

function listMatches(ctx: ListContext, input: Input, filter: Filter, rows: number): Promise<ListedRow[]> {
  const list = (status: TransactionStatus) =>
    listRows(ctx.readDb, { ...filter, status }, searchOf(input), rows);
  return input.status === "ALL" ? listBoth(list, rows) : list(input.status);
}

/** Lists a page as lines of CSV. */
export function exportTransactions(ctx: ListContext, input: Input): Promise<CsvLines> {
  return despiteMerge(() => exportPage(ctx, input));
}

async function exportPage(ctx: ListContext, input: Input): Promise<CsvLines> {
  const { teamId: organizationId, limit: rows, status } = input;
  // Where the columns of the account follow. No text of a bank can contain it, as it is unknown until now.
  const end = randomBytes(8).toString("base64url");
  const lines = { rows, end, signal: ctx.csv?.signal };
  const filter = await filterOf(ctx, input);
  let page: CsvPage;
  if (status !== "ALL" && searchOf(input) === null)
    page = await listTransactionLines(ctx.readDb, { ...filter, status }, lines);
  else {
    const ids = (await listMatches(ctx, input, filter, rows)).map(({ id }) => id);
    const last = ids.length < rows ? null : ids.at(-1)!;
    page = { ...(await findTransactionLines(ctx.readDb, organizationId, ids, lines)), last };
  }
  return {
    text: await withAccountCells(ctx, page.text, Buffer.from(end), organizationId),
    nextAfter: page.last,
  };
}

/** Completes lines that end with the `accountId` and `end`. Their texts never become strings of JavaScript. */
async function withAccountCells(
  ctx: ListContext,
  lines: Buffer,
  end: Buffer,
  organizationId: string,
): Promise<Buffer> {
  const ends: number[] = [];
  for (let at = lines.indexOf(end); at !== -1; at = lines.indexOf(end, at + end.length)) ends.push(at);
  const accountIds = ends.map((at) => lines.toString("latin1", lines.lastIndexOf(comma, at) + 1, at));
  const { encryptionKeys } = ctx.settings;
  const accounts = await listAccountsById(ctx.readDb, encryptionKeys, organizationId, [
    ...new Set(accountIds),
  ]);
  const cells = new Map(
    accounts.map((account) => {
      const written = csvAccountColumns.map(({ read }) => `,${csvCell(read({ account }))}`);
      return [account.id, Buffer.from(written.join("") + csvEndOfLine)];
    }),
  );
  if (!accountIds.every((id) => cells.has(id))) throw new AccountMerged();
  const size = accountIds.reduce(
    (sum, id) => sum + cells.get(id)!.length,
    lines.length - ends.length * end.length,
  );
  const completed = Buffer.allocUnsafeSlow(size);
  let length = 0;
  let start = 0;
  for (const [line, at] of ends.entries()) {
    length += lines.copy(completed, length, start, at);
    length += cells.get(accountIds[line]!)!.copy(completed, length);
    start = at + end.length;
  }
  return completed;
}

const comma = 0x2c;

function searchOf({ teamId: organizationId, query, minAmount, maxAmount }: Input): Search | null {
  if (query === undefined && minAmount === undefined && maxAmount === undefined) return null;
  return { organizationId, words: query === undefined ? [] : wordsOf(query), minAmount, maxAmount };
}

const listRows = (db: Executor, filter: TransactionFilter, search: Search | null, rows: number) =>
  search === null ? listTransactionRows(db, filter, rows) : searchTransactionRows(db, filter, search, rows);

type ListRows = (status: TransactionStatus) => Promise<ListedRow[]>;

async function listBoth(list: ListRows, rows: number): Promise<ListedRow[]> {
  const [posted, pending] = await Promise.all([list("POSTED"), list("PENDING")]);
  return [...posted, ...pending].toSorted(newestFirst).slice(0, rows);
}

const positionOf = ({ transactionDate, id }: ListedRow) => `${transactionDate} ${id}`;
const newestFirst = (one: ListedRow, other: ListedRow) => (positionOf(one) < positionOf(other) ? 1 : -1);

/** The accounts that the filters select; undefined for all accounts of the team. */
async function selectAccounts(
  ctx: ListContext,
  { teamId, accountId, connectionId }: Input,
): Promise<string[] | undefined> {
  if (accountId === undefined && connectionId === undefined) return undefined;
  const account = accountId === undefined ? undefined : await findAccountOwner(ctx.readDb, teamId, accountId);
  if (accountId !== undefined && account === undefined) throw new Problem("BANK_ACCOUNT_NOT_FOUND");
  if (connectionId === undefined) return [account!.id];
  if (!(await findConnection(ctx.readDb, teamId, connectionId))) throw new Problem("CONNECTION_NOT_FOUND");
  if (account === undefined) return listAccountIds(ctx.readDb, teamId, connectionId);
  return account.connectionId === connectionId ? [account.id] : [];
}

/** The bank days that begin (in UTC) within a range, ends included, as `YYYY-MM-DD`. */
function daysWithin({ from, to }: { from?: Date | undefined; to?: Date | undefined }) {
  return {
    firstDay: from && dayOf(Math.ceil(from.getTime() / dayMs) * dayMs),
    lastDay: to && dayOf(Math.floor(to.getTime() / dayMs) * dayMs),
  };
}

function dayOf(milliseconds: number): string {
  const text = utcDay(new Date(milliseconds));
  // No bank has a day after the year 9999.
  return text.startsWith("+") ? "9999-12-31" : text;
}
