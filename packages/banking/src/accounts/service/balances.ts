import type { Executor } from "@purser/db";
import type { AccountData } from "../../ports.ts";
import { listBalances } from "../store/sources.ts";

/** Replaces the reported balances by those that were read before. A new account has none. */
export async function keepBalances(
  db: Executor,
  { organizationId, connectionId }: { organizationId: string; connectionId: string },
  reported: AccountData[],
): Promise<AccountData[]> {
  const balances = await listBalances(db, organizationId, connectionId);
  const none = { balance: 0, availableBalance: null };
  return reported.map((account) => ({ ...account, ...(balances.get(account.externalId) ?? none) }));
}
