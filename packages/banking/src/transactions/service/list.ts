import { Problem, wordsOf } from "@purser/core";
import type { Executor } from "@purser/db";
import type { ListContext } from "@purser/organizations";
import { requireItem, toPage } from "@purser/platform";
import type { z } from "zod";
import { findAccountOwner, listAccountIds } from "../../accounts/store/list.ts";
import { findConnection } from "../../connections/store.ts";
import type { ListTransactions } from "../contract.ts";
import type { Search } from "../lexemes.ts";
import {
  type ListedRow,
  type TransactionFilter,
  findListPosition,
  listTransactionRows,
} from "../store/list.ts";
import { searchTransactionRows } from "../store/search.ts";
import { withAccounts } from "./read.ts";

type Input = z.output<typeof ListTransactions>;
export async function listTransactions(ctx: ListContext, input: Input) {
  const { teamId: organizationId, type, category, limit } = input;
  const [accountIds, after] = await Promise.all([
    selectAccounts(ctx, input),
    requireItem(input.after, (id) => findListPosition(ctx.readDb, organizationId, id)),
  ]);
  const filter = { organizationId, accountIds, ...daysWithin(input), type, category, after };
  const list = (status: "POSTED" | "PENDING") =>
    listRows(ctx.readDb, { ...filter, status }, searchOf(input), limit + 1);
  const rows = input.status === "ALL" ? await listBoth(list, limit + 1) : await list(input.status);
  return withAccounts(ctx, ctx.readDb, organizationId, toPage(ctx, limit, rows));
}

function searchOf({ teamId: organizationId, query, minAmount, maxAmount }: Input): Search | null {
  if (query === undefined && minAmount === undefined && maxAmount === undefined) return null;
  return { organizationId, words: query === undefined ? [] : wordsOf(query), minAmount, maxAmount };
}

const listRows = (db: Executor, filter: TransactionFilter, search: Search | null, rows: number) =>
  search === null ? listTransactionRows(db, filter, rows) : searchTransactionRows(db, filter, search, rows);

type ListRows = (status: "POSTED" | "PENDING") => Promise<ListedRow[]>;

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

const day = 24 * 60 * 60 * 1000;

/** The bank days that begin (in UTC) within a range, ends included, as `YYYY-MM-DD`. */
function daysWithin({ from, to }: { from?: Date | undefined; to?: Date | undefined }) {
  return {
    firstDay: from && dayOf(Math.ceil(from.getTime() / day) * day),
    lastDay: to && dayOf(Math.floor(to.getTime() / day) * day),
  };
}

function dayOf(milliseconds: number): string {
  const text = new Date(milliseconds).toISOString().slice(0, 10);
  // No bank has a day after the year 9999.
  return text.startsWith("+") ? "9999-12-31" : text;
}
