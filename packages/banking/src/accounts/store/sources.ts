import {
  type Database,
  type Executor,
  type TenantKey,
  type Transaction,
  bankAccountSources,
  bankAccounts,
  bankConnections,
  hasKey,
  refersTo,
} from "@purser/db";
import { type Keyring, keyedHashes, seal, sealedIn, unseal } from "@purser/platform";
import type { KeyUse } from "@purser/platform/keys";
import { type Column, and, countDistinct, eq, gt, inArray, isNull, ne, sql } from "drizzle-orm";
import type { AccountData } from "../../ports.ts";

type SourceRow = typeof bankAccountSources.$inferSelect;

/** Lists the ids by which a connection's bank knows accounts, with the connection that owns each account now. */
export async function listSources(db: Executor, organizationId: string, connectionId: string) {
  const { externalId, accountId, supersededAt } = bankAccountSources;
  const owner = { connectionId: bankConnections.id, status: bankConnections.status };
  return db
    .select({ externalId, accountId, supersededAt, owner })
    .from(bankAccountSources)
    .innerJoin(bankAccounts, refersTo(bankAccountSources, "accountId", bankAccounts))
    .innerJoin(bankConnections, refersTo(bankAccounts, "connectionId", bankConnections))
    .where(
      and(
        eq(bankAccountSources.organizationId, organizationId),
        eq(bankAccountSources.connectionId, connectionId),
      ),
    );
}

/** Lists the accounts of an organization with the hashes of their identifiers, and their connections. */
export function listIdentities(db: Executor, organizationId: string) {
  return db
    .select({
      id: bankAccounts.id,
      identityHashes: bankAccounts.identityHashes,
      connectionId: bankAccounts.connectionId,
      status: bankConnections.status,
      needsReauthorization: bankConnections.needsReauthorization,
    })
    .from(bankAccounts)
    .innerJoin(bankConnections, refersTo(bankAccounts, "connectionId", bankConnections))
    .where(eq(bankAccounts.organizationId, organizationId));
}

/** Whether the bank of one connection has listed both accounts, at the same time or not. */
export async function haveSameConnection(
  db: Executor,
  organizationId: string,
  accountIds: readonly [string, string],
): Promise<boolean> {
  const { connectionId, accountId } = bankAccountSources;
  const shared = await db
    .select({ connectionId })
    .from(bankAccountSources)
    .where(and(eq(bankAccountSources.organizationId, organizationId), inArray(accountId, [...accountIds])))
    .groupBy(connectionId)
    .having(gt(countDistinct(accountId), 1))
    .limit(1);
  return shared.length > 0;
}

/** Hashes an account's identifiers with each of the keys. */
export function identityHashes(
  keys: Keyring,
  reported: Pick<AccountData, "identifiers" | "type" | "currency">,
): string[] {
  return reported.identifiers.flatMap((identifier) =>
    keyedHashes(keys, identifier, ["bank account", reported.type, reported.currency]),
  );
}

/** Lists the accounts after this one whose hashes were made with another key version. */
export function listHashedOtherwise(db: Executor, version: number, after: TenantKey, rows: number) {
  const { organizationId, id, identityHashes: hashes } = bankAccounts;
  return db
    .select({ organizationId, id, type: bankAccounts.type, currency: bankAccounts.currency, hashes })
    .from(bankAccounts)
    .where(
      and(
        sql`EXISTS (SELECT FROM unnest(${hashes}) AS hash WHERE split_part(hash, '.', 1) <> ${String(version)})`,
        sql`(${organizationId}, ${id}) > (${after.organizationId}, ${after.id})`,
      ),
    )
    .orderBy(organizationId, id)
    .limit(rows);
}

/** Counts the hashes of accounts by the version of their key. */
export function countAccountHashes(db: Executor): Promise<KeyUse[]> {
  return db.execute<KeyUse & Record<string, unknown>>(sql`
    SELECT 'bank_accounts.identity_hashes' AS location, split_part(hash, '.', 1)::integer AS version, count(*)::integer AS secrets
    FROM ${bankAccounts}, unnest(${bankAccounts.identityHashes}) AS hash GROUP BY 2 ORDER BY 2`);
}

/** Hashes an account's identifiers with the first key. */
export async function rehashAccount(db: Database, keys: Keyring, key: TenantKey): Promise<void> {
  await db.transaction(async (transaction) => {
    const { type, currency } = bankAccounts;
    const [account] = await transaction
      .select({ type, currency })
      .from(bankAccounts)
      .where(hasKey(bankAccounts, key))
      .for("no key update");
    if (account === undefined) return;
    const identifiers = await readIdentifiers(transaction, keys, key);
    const hashes = identityHashes(keys.slice(0, 1), { ...account, identifiers });
    await transaction.update(bankAccounts).set({ identityHashes: hashes }).where(hasKey(bankAccounts, key));
  });
}

/** The sealed and hashed columns of an account. */
function secretsOf(keys: Keyring, { organizationId, id }: TenantKey, reported: AccountData) {
  const sealedAt = (column: Column, text: string) => seal(keys, text, sealedIn(column, [organizationId, id]));
  return {
    accountNumber:
      reported.accountNumber === null ? null : sealedAt(bankAccounts.accountNumber, reported.accountNumber),
    identifiers: sealedAt(bankAccounts.identifiers, JSON.stringify(reported.identifiers)),
    identityHashes: identityHashes(keys.slice(0, 1), reported),
  };
}

export async function insertAccount(
  transaction: Transaction,
  keys: Keyring,
  row: TenantKey & { connectionId: string; createdAt: Date },
  reported: AccountData,
): Promise<void> {
  const { name, sortCode, currency, type, balance, availableBalance } = reported;
  await transaction.insert(bankAccounts).values({
    ...row,
    ...secretsOf(keys, row, reported),
    name,
    sortCode,
    currency,
    type,
    balance: balance ?? 0,
    availableBalance,
    updatedAt: row.createdAt,
  });
}

/** Sets whether the balances of these accounts are of the reading that brought their latest transactions. */
export async function setBalanceCurrent(
  transaction: Transaction,
  organizationId: string,
  ids: readonly string[],
  isBalanceCurrent: boolean,
): Promise<void> {
  if (ids.length === 0) return;
  await transaction
    .update(bankAccounts)
    .set({ isBalanceCurrent })
    .where(
      and(
        eq(bankAccounts.organizationId, organizationId),
        inArray(bankAccounts.id, [...ids]),
        ne(bankAccounts.isBalanceCurrent, isBalanceCurrent),
      ),
    );
}

/**
 * Writes the columns of an account that the bank owns. Numbers and identifiers that the bank omits are preserved: some
 * providers have them only minutes later, or lose them for a while. So are balances that were not read.
 */
export async function updateAccount(
  transaction: Transaction,
  keys: Keyring,
  row: TenantKey & { connectionId: string; updatedAt: Date },
  reported: AccountData,
): Promise<void> {
  const { connectionId, updatedAt } = row;
  const { name, sortCode, currency, type, balance, availableBalance } = reported;
  const identifiers = [
    ...new Set([...(await readIdentifiers(transaction, keys, row)), ...reported.identifiers]),
  ];
  const { accountNumber, ...identity } = secretsOf(keys, row, { ...reported, identifiers });
  await transaction
    .update(bankAccounts)
    .set({
      connectionId,
      updatedAt,
      name,
      currency,
      type,
      ...(balance !== null && { balance, availableBalance }),
      ...(sortCode !== null && { sortCode }),
      ...(accountNumber !== null && { accountNumber }),
      ...identity,
    })
    .where(hasKey(bankAccounts, row));
}

async function readIdentifiers(db: Executor, keys: Keyring, key: TenantKey): Promise<string[]> {
  const [account] = await db
    .select({ sealed: bankAccounts.identifiers })
    .from(bankAccounts)
    .where(hasKey(bankAccounts, key));
  if (account === undefined) return [];
  const context = sealedIn(bankAccounts.identifiers, [key.organizationId, key.id]);
  return JSON.parse(unseal(keys, account.sealed, context)) as string[];
}

/** Makes this the current source of an account, which nobody has read yet. Supersede the previous source first. */
export async function setSource(
  transaction: Transaction,
  source: Omit<SourceRow, "supersededAt" | "isUnread">,
): Promise<void> {
  const target = [
    bankAccountSources.organizationId,
    bankAccountSources.connectionId,
    bankAccountSources.externalId,
  ];
  const row = { ...source, supersededAt: null, isUnread: true };
  const { organizationId: _o, connectionId: _c, externalId: _e, ...fields } = row;
  await transaction.insert(bankAccountSources).values(row).onConflictDoUpdate({ target, set: fields });
}

const currentOf = (organizationId: string, connectionId: string) =>
  and(
    eq(bankAccountSources.organizationId, organizationId),
    eq(bankAccountSources.connectionId, connectionId),
    isNull(bankAccountSources.supersededAt),
  );

/** Lists the accounts, by the bank's ids, that a connection has yet to read from their beginning. */
export async function listUnreadSources(
  db: Executor,
  organizationId: string,
  connectionId: string,
): Promise<ReadonlySet<string>> {
  const unread = await db
    .select({ externalId: bankAccountSources.externalId })
    .from(bankAccountSources)
    .where(and(currentOf(organizationId, connectionId), eq(bankAccountSources.isUnread, true)));
  return new Set(unread.map(({ externalId }) => externalId));
}

/** Notes whether a connection has yet to read these accounts from their beginning. */
export async function setSourcesUnread(
  transaction: Transaction,
  { organizationId, connectionId }: { organizationId: string; connectionId: string },
  externalIds: readonly string[],
  isUnread: boolean,
): Promise<void> {
  if (externalIds.length === 0) return;
  await transaction
    .update(bankAccountSources)
    .set({ isUnread })
    .where(
      and(
        currentOf(organizationId, connectionId),
        inArray(bankAccountSources.externalId, [...externalIds]),
        ne(bankAccountSources.isUnread, isUnread),
      ),
    );
}

/** Marks the current source of an account as superseded. */
export async function supersedeSource(
  transaction: Transaction,
  organizationId: string,
  accountId: string,
  now: Date,
): Promise<void> {
  await transaction
    .update(bankAccountSources)
    .set({ supersededAt: now })
    .where(
      and(
        eq(bankAccountSources.organizationId, organizationId),
        eq(bankAccountSources.accountId, accountId),
        isNull(bankAccountSources.supersededAt),
      ),
    );
}

/** Starts a new epoch of an account: its bank uses other ids from now on. */
export async function startEpoch(
  transaction: Transaction,
  organizationId: string,
  accountId: string,
): Promise<void> {
  await transaction
    .update(bankAccounts)
    .set({ idEpoch: sql`${bankAccounts.idEpoch} + 1` })
    .where(hasKey(bankAccounts, { organizationId, id: accountId }));
}
