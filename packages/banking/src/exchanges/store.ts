import { type Executor, type Transaction, bankExchanges, searchAllOrganizations } from "@purser/db";
import { type Keyring, seal, sealedIn, unseal } from "@purser/platform";
import type { KeyUse } from "@purser/platform/keys";
import { and, eq, inArray, lt, sql } from "drizzle-orm";
import type { ProviderName } from "../ports.ts";

/** An exchange with the token of the consent, which is sealed where it is stored. */
export type ExchangeRow = typeof bankExchanges.$inferSelect;

/** The secret that was exchanged: a keyed hash for each key that is in use. */
export interface ExchangeKey {
  organizationId: string;
  provider: ProviderName;
  hashes: string[];
}

const tokenContext = ({ organizationId, provider, referenceHash }: Omit<ExchangeRow, "token">) =>
  sealedIn(bankExchanges.token, [organizationId, provider, referenceHash]);

const ofSecret = ({ organizationId, provider, hashes }: ExchangeKey) =>
  and(
    eq(bankExchanges.organizationId, organizationId),
    eq(bankExchanges.provider, provider),
    inArray(bankExchanges.referenceHash, hashes),
  );

/** Throws if the key is lost that sealed the token. */
export const unsealExchange = (keys: Keyring, row: ExchangeRow): ExchangeRow => ({
  ...row,
  token: unseal(keys, row.token, tokenContext(row)),
});

/** Stores an exchange, once. An attempt whose answer was lost may have stored it. */
export async function insertExchange(db: Executor, keys: Keyring, row: ExchangeRow): Promise<void> {
  const sealed = { ...row, token: seal(keys, row.token, tokenContext(row)) };
  await db.insert(bankExchanges).values(sealed).onConflictDoNothing();
}

export async function findExchange(
  db: Executor,
  keys: Keyring,
  key: ExchangeKey,
): Promise<ExchangeRow | undefined> {
  const [row] = await db.select().from(bankExchanges).where(ofSecret(key));
  return row && unsealExchange(keys, row);
}

/** Counts the hashes of exchanged secrets by the version of their key. A repeated request looks them up. */
export function countExchangeHashes(db: Executor): Promise<KeyUse[]> {
  const version = sql`split_part(${bankExchanges.referenceHash}, '.', 1)::integer`;
  return db.execute<KeyUse & Record<string, unknown>>(sql`
    SELECT 'bank_exchanges.reference_hash' AS location, ${version} AS version, count(*)::integer AS secrets
    FROM ${bankExchanges} GROUP BY 2 ORDER BY 2`);
}

/** Deletes an exchange and returns it, or undefined if it is already gone. */
export async function deleteExchange(transaction: Transaction, key: ExchangeKey) {
  const [deleted] = await transaction.delete(bankExchanges).where(ofSecret(key)).returning();
  return deleted;
}

/** Deletes and returns exchanges of all organizations from before this instant, sealed, at most 100. */
export async function takeExchangesBefore(transaction: Transaction, before: Date): Promise<ExchangeRow[]> {
  const { organizationId, provider, referenceHash } = bankExchanges;
  const search = (all: Executor) =>
    all
      .select({ organizationId, provider, referenceHash })
      .from(bankExchanges)
      .where(lt(bankExchanges.exchangedAt, before))
      // In one order, so that two processes cannot deadlock.
      .orderBy(organizationId, provider, referenceHash)
      .limit(100);
  const old = await searchAllOrganizations(transaction, search, {
    by: (row) => `${row.organizationId} ${row.provider} ${row.referenceHash}`,
    limit: 100,
  });
  const taken: ExchangeRow[] = [];
  for (const { referenceHash: hash, ...key } of old) {
    // Another process may have taken it in the meantime.
    const row = await deleteExchange(transaction, { ...key, hashes: [hash] });
    if (row !== undefined) taken.push(row);
  }
  return taken;
}
