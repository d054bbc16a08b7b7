import { type Executor, type Transaction, bankAccountSources, bankAccounts } from "@purser/db";
import { type Keyring, seal, sealedIn, unseal } from "@purser/platform";
import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { AccountPair } from "../../syncs/store/merge.ts";
import { identityHashes } from "./sources.ts";

export type AccountRow = typeof bankAccounts.$inferSelect;

const theAccounts = (organizationId: string, ids: readonly string[]) =>
  and(eq(bankAccounts.organizationId, organizationId), inArray(bankAccounts.id, [...ids]));

/** Finds accounts by their ids. Sealed columns stay sealed. */
export function findAccountRows(
  db: Executor,
  organizationId: string,
  ids: readonly string[],
): Promise<AccountRow[]> {
  return db.select().from(bankAccounts).where(theAccounts(organizationId, ids));
}

/** Locks accounts, also against cards that they begin to fund. */
export function lockAccountRows(
  transaction: Transaction,
  organizationId: string,
  ids: readonly string[],
): Promise<AccountRow[]> {
  return transaction
    .select()
    .from(bankAccounts)
    .where(theAccounts(organizationId, ids))
    .orderBy(asc(bankAccounts.id))
    .for("update");
}

/** Makes the sources of an account former ones of the continuing account. */
export async function moveSources(
  transaction: Transaction,
  { organizationId, accountId, intoAccountId }: AccountPair,
  now: Date,
): Promise<void> {
  const { supersededAt } = bankAccountSources;
  await transaction
    .update(bankAccountSources)
    .set({
      accountId: intoAccountId,
      supersededAt: sql`coalesce(${supersededAt}, ${now.toISOString()}::timestamptz)`,
    })
    .where(
      and(eq(bankAccountSources.organizationId, organizationId), eq(bankAccountSources.accountId, accountId)),
    );
}

/** Adds the identifiers of an account to the continuing one, and its numbers if that has none. */
export async function addIdentity(
  transaction: Transaction,
  keys: Keyring,
  account: AccountRow,
  continuing: AccountRow,
): Promise<void> {
  const { organizationId, id, type, currency } = continuing;
  const identifiers = [...new Set([account, continuing].flatMap((row) => identifiersOf(keys, row)))];
  const numbers = numbersOf(keys, continuing);
  const { accountNumber, sortCode } = numbers.accountNumber === null ? numbersOf(keys, account) : numbers;
  const at = { number: bankAccounts.accountNumber, identifiers: bankAccounts.identifiers };
  await transaction
    .update(bankAccounts)
    .set({
      accountNumber:
        accountNumber === null ? null : seal(keys, accountNumber, sealedIn(at.number, [organizationId, id])),
      sortCode,
      identifiers: seal(keys, JSON.stringify(identifiers), sealedIn(at.identifiers, [organizationId, id])),
      identityHashes: identityHashes(keys.slice(0, 1), { identifiers, type, currency }),
    })
    .where(theAccounts(organizationId, [id]));
}

function identifiersOf(keys: Keyring, { organizationId, id, identifiers }: AccountRow): string[] {
  const context = sealedIn(bankAccounts.identifiers, [organizationId, id]);
  return JSON.parse(unseal(keys, identifiers, context)) as string[];
}

function numbersOf(keys: Keyring, { organizationId, id, accountNumber, sortCode }: AccountRow) {
  const context = sealedIn(bankAccounts.accountNumber, [organizationId, id]);
  return { sortCode, accountNumber: accountNumber === null ? null : unseal(keys, accountNumber, context) };
}

export async function deleteAccount(
  transaction: Transaction,
  organizationId: string,
  id: string,
): Promise<void> {
  await transaction.delete(bankAccounts).where(theAccounts(organizationId, [id]));
}
