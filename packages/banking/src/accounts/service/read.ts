import { Problem } from "@purser/core";
import type { ListContext } from "@purser/organizations";
import { requireItem, toPage } from "@purser/platform";
import type { z } from "zod";
import { findConnection } from "../../connections/store.ts";
import type { BankingContext } from "../../context.ts";
import type { GetAccount, ListAccounts } from "../contract.ts";
import { findAccount, findAccountOwner, listAccountRows, listRecentTransactions } from "../store/list.ts";

const recent = 10;

export async function listAccounts(ctx: ListContext, input: z.output<typeof ListAccounts>) {
  const { teamId, connectionId, after, limit } = input;
  if (connectionId !== undefined && !(await findConnection(ctx.readDb, teamId, connectionId))) {
    throw new Problem("CONNECTION_NOT_FOUND");
  }
  await requireItem(after, (id) => findAccountOwner(ctx.readDb, teamId, id));
  const page = { connectionId, after, rows: limit + 1 };
  return toPage(ctx, limit, await listAccountRows(ctx.readDb, ctx.settings.encryptionKeys, teamId, page));
}

export async function getAccount(ctx: BankingContext, { teamId, accountId }: z.output<typeof GetAccount>) {
  const account = await findAccount(ctx.db, ctx.settings.encryptionKeys, teamId, accountId);
  if (account === undefined) throw new Problem("BANK_ACCOUNT_NOT_FOUND");
  const rows = await listRecentTransactions(ctx.db, teamId, accountId, recent);
  const recentTransactions = rows.map((row) => ({ ...row, transactionDate: new Date(row.transactionDate) }));
  return { ...account, recentTransactions };
}
