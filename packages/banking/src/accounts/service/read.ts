import { Problem } from "@purser/core";
import type { Executor } from "@purser/db";
import type { ListContext } from "@purser/organizations";
import { type Keyring, toPage } from "@purser/platform";
import type { z } from "zod";
import { findConnection } from "../../connections/store.ts";
import type { BankingContext } from "../../context.ts";
import type { GetAccount, ListAccounts } from "../contract.ts";
import { refuseMerge } from "../rules.ts";
import { findAccount, listAccountRows, listMergeCandidates, listRecentTransactions } from "../store/list.ts";

const recent = 10;

export async function listAccounts(ctx: ListContext, input: z.output<typeof ListAccounts>) {
  const { teamId, connectionId, mergeableAccountId, after, limit } = input;
  if (connectionId !== undefined && !(await findConnection(ctx.readDb, teamId, connectionId))) {
    throw new Problem("CONNECTION_NOT_FOUND");
  }
  const ids =
    mergeableAccountId === undefined ? undefined : await mergesInto(ctx, teamId, mergeableAccountId);
  const page = { connectionId, ids, after, rows: limit + 1 };
  return toPage(ctx, limit, await listAccountRows(ctx.readDb, ctx.settings.encryptionKeys, teamId, page));
}

/** The ids of the accounts that an account can be merged into. */
async function mergesInto({ readDb }: ListContext, teamId: string, id: string): Promise<string[]> {
  const candidates = await listMergeCandidates(readDb, teamId);
  const account = candidates.find((one) => one.id === id);
  if (account === undefined) throw new Problem("BANK_ACCOUNT_NOT_FOUND");
  return candidates.filter((other) => refuseMerge(account, other) === null).map((other) => other.id);
}

export async function getAccount(ctx: BankingContext, { teamId, accountId }: z.output<typeof GetAccount>) {
  return accountDetails(ctx.db, ctx.settings.encryptionKeys, teamId, accountId);
}

/** Returns an account with its newest transactions. Throws BANK_ACCOUNT_NOT_FOUND. */
export async function accountDetails(db: Executor, keys: Keyring, organizationId: string, id: string) {
  const account = await findAccount(db, keys, organizationId, id);
  if (account === undefined) throw new Problem("BANK_ACCOUNT_NOT_FOUND");
  const rows = await listRecentTransactions(db, organizationId, id, recent);
  const recentTransactions = rows.map((row) => ({ ...row, transactionDate: new Date(row.transactionDate) }));
  return { ...account, recentTransactions };
}
