import type { Executor, Transaction } from "@purser/db";
import { type AccountData, noBalances } from "../../ports.ts";
import { listBalances, setBalanceCurrent } from "../store/sources.ts";

/** Replaces the reported balances by those that were read before. A new account has none. */
export async function keepBalances(
  db: Executor,
  { organizationId, connectionId }: { organizationId: string; connectionId: string },
  reported: AccountData[],
): Promise<AccountData[]> {
  const balances = await listBalances(db, organizationId, connectionId);
  return reported.map((account) => ({ ...account, ...(balances.get(account.externalId) ?? noBalances) }));
}

/**
 * Notes of which accounts the balance and the transactions are of one reading. `reported` are those whose balance was read. If
 * only one of the two was read, balances of earlier days cannot be computed.
 */
export async function noteBalances(
  transaction: Transaction,
  organizationId: string,
  accountOf: ReadonlyMap<string, string | null>,
  { reported, hasTransactions }: { reported: readonly AccountData[]; hasTransactions: boolean },
): Promise<void> {
  const withBalance = new Set(reported.map(({ externalId }) => externalId));
  const [both, one]: [string[], string[]] = [[], []];
  for (const [externalId, accountId] of accountOf) {
    const hasBalance = withBalance.has(externalId);
    if (accountId !== null && (hasBalance || hasTransactions))
      (hasBalance && hasTransactions ? both : one).push(accountId);
  }
  await setBalanceCurrent(transaction, organizationId, both, true);
  await setBalanceCurrent(transaction, organizationId, one, false);
}
