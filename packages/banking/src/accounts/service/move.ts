import type { Transaction } from "@purser/db";
import type { Actor } from "@purser/platform";
import type { BankingPlatform } from "../../context.ts";
import { mergeLedgers } from "../../syncs/service/merge.ts";
import { deleteTotals } from "../../syncs/store/daily-totals.ts";
import { refuseMerge } from "../rules.ts";
import { type ListedAccount, listAccountsById, listMergeCandidates } from "../store/list.ts";
import { type AccountRow, addIdentity, deleteAccount, moveSources } from "../store/merge.ts";
import { setBalanceCurrent } from "../store/sources.ts";

/** Returns why two accounts cannot be one, or null. The caller holds the locks of their connections. */
export async function findMergeRefusal(
  transaction: Transaction,
  { organizationId, id: accountId }: AccountRow,
  { id: intoAccountId }: AccountRow,
): Promise<string | null> {
  const candidates = await listMergeCandidates(transaction, organizationId, [accountId, intoAccountId]);
  const candidateOf = (id: string) => candidates.find((one) => one.id === id)!;
  return refuseMerge(candidateOf(accountId), candidateOf(intoAccountId));
}

/**
 * Moves everything that an account has to another one that is the same account, and deletes it: transactions, sources,
 * identifiers, quarantine, and by the hooks what other areas have. The balances of the continuing account stay. The
 * caller holds the locks of the organization, of both connections, and of both accounts. Returns what happened to the
 * transactions, and the account that ended as it was.
 */
export async function moveAccount(
  { settings, bankAccountHooks }: Pick<BankingPlatform, "settings" | "bankAccountHooks">,
  transaction: Transaction,
  { account, continuing }: { account: AccountRow; continuing: AccountRow },
  { actor, now }: { actor: Actor; now: Date },
): Promise<Awaited<ReturnType<typeof mergeLedgers>> & { before: ListedAccount[] }> {
  const { organizationId, id: accountId } = account;
  const keys = settings.encryptionKeys;
  const before = await listAccountsById(transaction, keys, organizationId, [accountId]);
  const pair = { organizationId, accountId, intoAccountId: continuing.id };
  const { counts, changes } = await mergeLedgers(transaction, pair, now);
  await moveSources(transaction, pair, now);
  await addIdentity(transaction, keys, account, continuing);
  // Its balance is not of the reading that brought these transactions.
  if ((changes.get(continuing.id)?.added ?? 0) > 0)
    await setBalanceCurrent(transaction, organizationId, [continuing.id], false);
  for (const { accountMerged } of bankAccountHooks) await accountMerged?.(transaction, { ...pair, actor });
  await deleteTotals(transaction, organizationId, accountId);
  await deleteAccount(transaction, organizationId, accountId);
  return { counts, changes, before };
}
