import { Problem } from "@purser/core";
import type { Executor } from "@purser/db";
import type { Platform } from "@purser/platform";
import type { z } from "zod";
import { listAccountsById } from "../../accounts/store/list.ts";
import type { BankingContext } from "../../context.ts";
import type { GetTransaction } from "../contract.ts";
import { type ListedRow, findTransactionRow } from "../store/list.ts";

export async function getTransaction(ctx: BankingContext, input: z.output<typeof GetTransaction>) {
  return despiteMerge(() => readTransaction(ctx, ctx.db, input.teamId, input.transactionId));
}

/** A merge has ended the account of a row since the row was read. */
export class AccountMerged extends Problem {
  constructor() {
    super("UNAVAILABLE", { retryAfterSeconds: 1 });
  }
}

/** Reads rows and their accounts. If a merge came between the two reads, it reads the rows again with their new account. */
export async function despiteMerge<Result>(read: () => Promise<Result>): Promise<Result> {
  return read().catch((error: unknown) => {
    if (error instanceof AccountMerged) return read();
    throw error;
  });
}

/** Reads a posted or pending transaction. Throws BANK_TRANSACTION_NOT_FOUND. */
export async function readTransaction(
  platform: Pick<Platform, "settings">,
  db: Executor,
  organizationId: string,
  id: string,
) {
  const row = await findTransactionRow(db, organizationId, id);
  if (row === undefined) throw new Problem("BANK_TRANSACTION_NOT_FOUND");
  const [item] = await withAccounts(platform, db, organizationId, [row]);
  return item!;
}

/** Turns rows into items of the list. Throws {@link AccountMerged}. */
export async function withAccounts(
  { settings }: Pick<Platform, "settings">,
  db: Executor,
  organizationId: string,
  rows: readonly ListedRow[],
) {
  const ids = [...new Set(rows.map(({ accountId }) => accountId))];
  const accounts = await listAccountsById(db, settings.encryptionKeys, organizationId, ids);
  if (accounts.length < ids.length) throw new AccountMerged();
  const byId = new Map(accounts.map((account) => [account.id, account]));
  return rows.map((row) => ({
    ...row,
    // A removed row is in no list.
    status: row.status === "PENDING" ? ("PENDING" as const) : ("POSTED" as const),
    transactionDate: new Date(row.transactionDate),
    account: byId.get(row.accountId)!,
  }));
}
