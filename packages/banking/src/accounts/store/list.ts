import {
  type Executor,
  type Transaction,
  bankAccountSources,
  bankAccounts,
  bankConnections,
  bankTransactions,
  hasKey,
  shownCategory,
  refersTo,
} from "@purser/db";
import { type Keyring, sealedIn, unseal } from "@purser/platform";
import { and, desc, eq, inArray, isNull, lt, sql } from "drizzle-orm";
import type { MergeCandidate } from "../rules.ts";

/** Names the organization in the subquery too: otherwise a distributed database asks all of its servers. */
const columnsIn = (organizationId: string) => ({
  organizationId: bankAccounts.organizationId,
  id: bankAccounts.id,
  connectionId: bankAccounts.connectionId,
  accountName: bankAccounts.name,
  sealedNumber: bankAccounts.accountNumber,
  sortCode: bankAccounts.sortCode,
  currency: bankAccounts.currency,
  type: bankAccounts.type,
  balance: bankAccounts.balance,
  availableBalance: bankAccounts.availableBalance,
  transactionCount: bankAccounts.transactionCount,
  isListed: sql<boolean>`EXISTS (SELECT FROM ${bankAccountSources}
    WHERE ${bankAccountSources.organizationId} = ${organizationId}
      AND ${bankAccountSources.accountId} = ${bankAccounts.id} AND ${bankAccountSources.supersededAt} IS NULL)`,
  connection: {
    id: bankConnections.id,
    provider: bankConnections.provider,
    status: bankConnections.status,
  },
});

const itsConnection = refersTo(bankAccounts, "connectionId", bankConnections);

export async function listAccountRows(
  db: Executor,
  keys: Keyring,
  organizationId: string,
  page: {
    connectionId: string | undefined;
    ids: readonly string[] | undefined;
    after: string | undefined;
    rows: number;
  },
) {
  const { connectionId, ids, after, rows } = page;
  const found = await db
    .select(columnsIn(organizationId))
    .from(bankAccounts)
    .innerJoin(bankConnections, itsConnection)
    .where(
      and(
        eq(bankAccounts.organizationId, organizationId),
        connectionId === undefined ? undefined : eq(bankAccounts.connectionId, connectionId),
        ids === undefined ? undefined : inArray(bankAccounts.id, [...ids]),
        after === undefined ? undefined : lt(bankAccounts.id, after),
      ),
    )
    .orderBy(desc(bankAccounts.id))
    .limit(rows);
  return found.map((row) => withNumber(keys, row));
}

/** What decides about merging, of every account of an organization, or of those with these ids. */
export function listMergeCandidates(
  db: Executor,
  organizationId: string,
  ids?: readonly string[],
): Promise<MergeCandidate[]> {
  const { id, currency } = bankAccounts;
  return db
    .select({ id, currency, listedBy: bankAccountSources.connectionId })
    .from(bankAccounts)
    .leftJoin(
      bankAccountSources,
      and(refersTo(bankAccountSources, "accountId", bankAccounts), isNull(bankAccountSources.supersededAt)),
    )
    .where(
      and(
        eq(bankAccounts.organizationId, organizationId),
        ids === undefined ? undefined : inArray(bankAccounts.id, [...ids]),
      ),
    );
}

export async function findAccount(db: Executor, keys: Keyring, organizationId: string, id: string) {
  const [found] = await db
    .select(columnsIn(organizationId))
    .from(bankAccounts)
    .innerJoin(bankConnections, itsConnection)
    .where(hasKey(bankAccounts, { organizationId, id }));
  return found && withNumber(keys, found);
}

/** Replaces the sealed account number by the full number. */
function withNumber<Row extends { organizationId: string; id: string; sealedNumber: string | null }>(
  keys: Keyring,
  { organizationId, sealedNumber, ...row }: Row,
) {
  const context = sealedIn(bankAccounts.accountNumber, [organizationId, row.id]);
  return { ...row, accountNumber: sealedNumber === null ? null : unseal(keys, sealedNumber, context) };
}

/** Finds the connection that owns an account. Sealed columns stay sealed. */
export async function findAccountOwner(db: Executor, organizationId: string, id: string) {
  const [account] = await db
    .select({ id: bankAccounts.id, connectionId: bankAccounts.connectionId })
    .from(bankAccounts)
    .where(hasKey(bankAccounts, { organizationId, id }));
  return account;
}

export async function listAccountIds(
  db: Executor,
  organizationId: string,
  connectionId: string,
): Promise<string[]> {
  const found = await db
    .select({ id: bankAccounts.id })
    .from(bankAccounts)
    .where(and(eq(bankAccounts.organizationId, organizationId), eq(bankAccounts.connectionId, connectionId)));
  return found.map(({ id }) => id);
}

/** An account as it is listed. */
export type ListedAccount = Awaited<ReturnType<typeof listAccountsById>>[number];

/** Lists accounts by their ids. */
export async function listAccountsById(
  db: Executor,
  keys: Keyring,
  organizationId: string,
  ids: readonly string[],
) {
  if (ids.length === 0) return [];
  const found = await db
    .select(columnsIn(organizationId))
    .from(bankAccounts)
    .innerJoin(bankConnections, itsConnection)
    .where(and(eq(bankAccounts.organizationId, organizationId), inArray(bankAccounts.id, [...ids])));
  return found.map((row) => withNumber(keys, row));
}

/** Lists the newest posted transactions of an account. */
export function listRecentTransactions(
  db: Executor,
  organizationId: string,
  accountId: string,
  rows: number,
) {
  return db
    .select({
      id: bankTransactions.id,
      amount: bankTransactions.amount,
      currency: bankTransactions.currency,
      description: bankTransactions.description,
      transactionDate: bankTransactions.transactionDate,
      type: bankTransactions.type,
      category: shownCategory(bankTransactions),
    })
    .from(bankTransactions)
    .where(
      and(
        eq(bankTransactions.organizationId, organizationId),
        eq(bankTransactions.accountId, accountId),
        // Not a parameter: a generic plan could not use the partial index of this status.
        sql`${bankTransactions.status} = 'POSTED'`,
      ),
    )
    .orderBy(desc(bankTransactions.transactionDate), desc(bankTransactions.id))
    .limit(rows);
}

/**
 * Finds the currency and country of an account, and the status of its connection, for a card that it funds. The account
 * does not end before the transaction does.
 */
export async function findFundingAccount(transaction: Transaction, organizationId: string, id: string) {
  const [account] = await transaction
    .select({
      currency: bankAccounts.currency,
      connectionStatus: bankConnections.status,
      country: bankConnections.institutionCountry,
    })
    .from(bankAccounts)
    .innerJoin(bankConnections, itsConnection)
    .where(hasKey(bankAccounts, { organizationId, id }))
    .for("key share", { of: bankAccounts });
  return account;
}
