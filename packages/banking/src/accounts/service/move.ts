import type { Transaction } from "@purser/db";
import type { BankingPlatform } from "../../context.ts";
import { type MergeCounts, mergeLedgers } from "../../syncs/service/merge.ts";
import { deleteTotals } from "../../syncs/store/daily-totals.ts";
import { type AccountRow, addIdentity, deleteAccount, moveSources } from "../store/merge.ts";

/**
 * Moves everything that an account has to another one that is the same account, and deletes it: transactions, sources,
 * identifiers, quarantine, and by the hooks what other areas have. The balances of the continuing account stay. The
 * caller holds the locks of the organization, of both connections, and of both accounts.
 */
export async function moveAccount(
  { settings, bankAccountHooks }: Pick<BankingPlatform, "settings" | "bankAccountHooks">,
  transaction: Transaction,
  { account, continuing }: { account: AccountRow; continuing: AccountRow },
  now: Date,
): Promise<MergeCounts> {
  const { organizationId, id: accountId } = account;
  const pair = { organizationId, accountId, intoAccountId: continuing.id };
  const counts = await mergeLedgers(transaction, pair, now);
  await moveSources(transaction, pair, now);
  await addIdentity(transaction, settings.encryptionKeys, account, continuing);
  for (const { accountMerged } of bankAccountHooks) await accountMerged?.(transaction, pair);
  await deleteTotals(transaction, organizationId, accountId);
  await deleteAccount(transaction, organizationId, accountId);
  return counts;
}
