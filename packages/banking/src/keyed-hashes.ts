import type { Executor } from "@purser/db";
import type { KeyUse } from "@purser/platform/keys";
import { countAccountHashes } from "./accounts/store/sources.ts";
import { countExchangeHashes } from "./exchanges/store.ts";
import { countLinkHashes } from "./link/store.ts";

/**
 * Counts the hashes that are looked up, by the version of their key, as `keyStatus` counts secrets. `rehashAccounts` renews
 * those of accounts. The others are of texts that are not stored, and go within a day: with the link that expires, and with
 * the exchange that a connection uses.
 */
export async function countBankHashes(db: Executor, now: Date): Promise<KeyUse[]> {
  const uses = await Promise.all([countAccountHashes(db), countLinkHashes(db, now), countExchangeHashes(db)]);
  return uses.flat();
}
