import { Problem } from "@purser/core";
import type { ListContext } from "@purser/organizations";
import { requireItem, toPage } from "@purser/platform";
import type { z } from "zod";
import { findAccountOwner, listAccountIds, listAccountsById } from "../accounts/store/list.ts";
import { findConnection } from "../connections/store.ts";
import type { ListTransactions } from "./contract.ts";
import { findListPosition, listTransactionRows } from "./store.ts";

type Input = z.output<typeof ListTransactions>;

export async function listTransactions(ctx: ListContext, input: Input) {
  const { teamId: organizationId, type, category, limit } = input;
  const [accountIds, after] = await Promise.all([
    selectAccounts(ctx, input),
    requireItem(input.after, (id) => findListPosition(ctx.readDb, organizationId, id)),
  ]);
  const filter = { organizationId, accountIds, ...daysWithin(input), type, category, after };
  const rows = toPage(ctx, limit, await listTransactionRows(ctx.readDb, filter, limit + 1));
  const shown = [...new Set(rows.map(({ accountId }) => accountId))];
  const accounts = await listAccountsById(ctx.readDb, ctx.settings.encryptionKeys, organizationId, shown);
  const byId = new Map(accounts.map((account) => [account.id, account]));
  return rows.map((row) => ({
    ...row,
    transactionDate: new Date(row.transactionDate),
    account: byId.get(row.accountId)!,
  }));
}

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
