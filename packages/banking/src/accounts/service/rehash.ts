import type { Database } from "@purser/db";
import type { Keyring } from "@purser/platform";
import { listHashedOtherwise, rehashAccount } from "../store/sources.ts";

/**
 * Hashes the identifiers of all accounts with the first key, so that accounts are found after the other keys are
 * removed. The identifiers must be sealed with a key of the ring. Returns the number of accounts.
 */
export async function rehashAccounts(db: Database, keys: Keyring): Promise<number> {
  let after = { organizationId: "", id: "" };
  for (let count = 0; ;) {
    const accounts = await listHashedOtherwise(db, keys[0]?.version ?? 0, after, 100);
    for (const account of accounts) await rehashAccount(db, keys, account);
    count += accounts.length;
    const last = accounts.at(-1);
    if (last === undefined) return count;
    after = last;
  }
}
