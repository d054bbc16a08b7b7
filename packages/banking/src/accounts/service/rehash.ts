import type { Database, Executor } from "@purser/db";
import { type Keyring, UnsealError } from "@purser/platform";
import type { KeyUse, UnreadableSecret } from "@purser/platform/keys";
import { countExchangeHashes } from "../../exchanges/store.ts";
import { countLinkHashes } from "../../link/store.ts";
import { countAccountHashes, listHashedOtherwise, rehashAccount } from "../store/sources.ts";

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

/**
 * Counts the hashes that are looked up, by the version of their key, as `keyStatus` counts secrets. `rehashAccounts` renews
 * those of accounts. The others are of texts that are not stored, and go within a day: with the link that expires, and with
 * the exchange that a connection uses.
 */
export async function countBankHashes(db: Executor, now: Date): Promise<KeyUse[]> {
  const uses = await Promise.all([countAccountHashes(db), countLinkHashes(db, now), countExchangeHashes(db)]);
  return uses.flat();
}
