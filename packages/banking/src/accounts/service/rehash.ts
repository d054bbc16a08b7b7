import type { Database } from "@purser/db";
import { type Keyring, UnsealError } from "@purser/platform";
import type { UnreadableSecret } from "@purser/platform/keys";
import { listHashedOtherwise, rehashAccount } from "../store/sources.ts";

/**
 * Hashes the identifiers of all accounts with the first key, so that accounts are found after the other keys are
 * removed. The hashes of accounts whose identifiers do not open are unchanged.
 */
export async function rehashAccounts(
  db: Database,
  keys: Keyring,
): Promise<{ rehashed: number; unreadable: UnreadableSecret[] }> {
  let after = { organizationId: "", id: "" };
  let rehashed = 0;
  const unreadable: UnreadableSecret[] = [];
  for (;;) {
    const accounts = await listHashedOtherwise(db, keys[0]?.version ?? 0, after, 100);
    for (const account of accounts) {
      try {
        await rehashAccount(db, keys, account);
        rehashed += 1;
      } catch (error) {
        if (!(error instanceof UnsealError)) throw error;
        const key = [account.organizationId, account.id];
        unreadable.push({ location: "bank_accounts.identifiers", key, reason: error.message });
      }
    }
    const last = accounts.at(-1);
    if (last === undefined) return { rehashed, unreadable };
    after = last;
  }
}
