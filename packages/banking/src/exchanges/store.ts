import { type Executor, type Transaction, bankExchanges } from "@purser/db";
import { type Keyring, seal, sealedIn, unseal } from "@purser/platform";
import { and, eq, inArray, lt } from "drizzle-orm";
import type { ProviderName } from "../ports.ts";

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

export async function insertExchange(db: Executor, keys: Keyring, row: ExchangeRow): Promise<void> {
  await db.insert(bankExchanges).values({ ...row, token: seal(keys, row.token, tokenContext(row)) });
}

export async function findExchange(
  db: Executor,
  keys: Keyring,
  key: ExchangeKey,
): Promise<ExchangeRow | undefined> {
  const [row] = await db.select().from(bankExchanges).where(ofSecret(key));
  return row && { ...row, token: unseal(keys, row.token, tokenContext(row)) };
}

export async function deleteExchange(transaction: Transaction, key: ExchangeKey): Promise<void> {
  await transaction.delete(bankExchanges).where(ofSecret(key));
}

/** Deletes and returns exchanges of all organizations from before this instant, at most 100. */
export async function takeExchangesBefore(
  transaction: Transaction,
  keys: Keyring,
  before: Date,
): Promise<ExchangeRow[]> {
  const rows = await transaction
    .select()
    .from(bankExchanges)
    .where(lt(bankExchanges.exchangedAt, before))
    .limit(100)
    .for("update", { skipLocked: true });
  for (const { organizationId, provider, referenceHash } of rows)
    await deleteExchange(transaction, { organizationId, provider, hashes: [referenceHash] });
  return rows.map((row) => ({ ...row, token: unseal(keys, row.token, tokenContext(row)) }));
}
