import type { Transaction } from "@purser/db";
import { type AccountData, noBalances } from "../../ports.ts";
import { setBalanceCurrent } from "../store/sources.ts";

/** The reported accounts, without the balances if the team withholds them. */
export const permittedBalances = (
  reported: AccountData[],
  withheldScopes: ReadonlySet<string>,
): AccountData[] =>
  withheldScopes.has("balances") ? reported.map((account) => ({ ...account, ...noBalances })) : reported;

/**
 * Notes of which accounts the balance and the transactions are of one reading. If only one of the two was read, balances of
 * earlier days cannot be computed.
 */
export async function noteBalances(
  transaction: Transaction,
  organizationId: string,
  accountOf: ReadonlyMap<string, string | null>,
  {
    reported,
    hasTransactions,
  }: { reported: readonly AccountData[]; hasTransactions: (externalId: string) => boolean },
): Promise<void> {
  const byId = new Map(reported.map((account) => [account.externalId, account]));
  const [both, one]: [string[], string[]] = [[], []];
  for (const [externalId, accountId] of accountOf) {
    const { balance = null, listsTransactions = true } = byId.get(externalId) ?? {};
    const hasBalance = balance !== null;
    const hasRows = listsTransactions && hasTransactions(externalId);
    if (accountId !== null && (hasBalance || hasRows)) (hasBalance && hasRows ? both : one).push(accountId);
  }
  await setBalanceCurrent(transaction, organizationId, both, true);
  await setBalanceCurrent(transaction, organizationId, one, false);
}
