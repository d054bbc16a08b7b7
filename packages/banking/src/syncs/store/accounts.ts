import {
  type Executor,
  type Transaction,
  bankAccountSources,
  bankAccounts,
  bankTransactions,
  hasKey,
} from "@purser/db";
import { and, eq, gte, inArray, isNull, min, sql } from "drizzle-orm";
import type { LedgerKey } from "./ledger.ts";

/** Reads the epoch of each account: how often it was linked again. */
export async function readEpochs(
  db: Executor,
  organizationId: string,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { id, idEpoch } = bankAccounts;
  const found = await db
    .select({ id, idEpoch })
    .from(bankAccounts)
    .where(and(eq(bankAccounts.organizationId, organizationId), inArray(id, [...accountIds])));
  return new Map(found.map((account) => [account.id, account.idEpoch]));
}

/** Returns those of these accounts that have any row. */
export async function withHistory(
  db: Executor,
  organizationId: string,
  accountIds: readonly string[],
): Promise<Set<string>> {
  const found = await Promise.all(
    accountIds.map((accountId) =>
      db
        .select({ accountId: bankTransactions.accountId })
        .from(bankTransactions)
        .where(
          and(eq(bankTransactions.organizationId, organizationId), eq(bankTransactions.accountId, accountId)),
        )
        .limit(1),
    ),
  );
  return new Set(found.flat().map(({ accountId }) => accountId));
}

/**
 * Lists the accounts that a connection owns, by the bank's ids, each with the day of its oldest pending row from this day
 * on; null without one.
 */
export async function listPendingSince(
  db: Executor,
  { organizationId, connectionId }: LedgerKey,
  from: string,
): Promise<ReadonlyMap<string, string | null>> {
  const { accountId, externalId, supersededAt } = bankAccountSources;
  const pending = and(
    eq(bankTransactions.organizationId, organizationId),
    eq(bankTransactions.accountId, accountId),
    // A literal: a generic plan could not use the partial index.
    sql`${bankTransactions.status} = 'PENDING'`,
    gte(bankTransactions.transactionDate, from),
  );
  const accounts = await db
    .select({ externalId, since: min(bankTransactions.transactionDate) })
    .from(bankAccountSources)
    .leftJoin(bankTransactions, pending)
    .where(
      and(
        eq(bankAccountSources.organizationId, organizationId),
        eq(bankAccountSources.connectionId, connectionId),
        isNull(supersededAt),
      ),
    )
    .groupBy(externalId);
  return new Map(accounts.map(({ externalId: id, since }) => [id, since]));
}

/** Adds to the number of listed transactions of each account. */
export async function addToCounts(
  transaction: Transaction,
  organizationId: string,
  deltas: ReadonlyMap<string, number>,
): Promise<void> {
  for (const [accountId, delta] of deltas) {
    if (delta === 0) continue;
    await transaction
      .update(bankAccounts)
      .set({ transactionCount: sql`${bankAccounts.transactionCount} + ${delta}` })
      .where(hasKey(bankAccounts, { organizationId, id: accountId }));
  }
}
