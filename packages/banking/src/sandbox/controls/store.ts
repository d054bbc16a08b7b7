import {
  type Executor,
  bankAccountSources,
  bankConnections,
  bankConsents,
  bankTransactions,
  hasKey,
  refersTo,
} from "@purser/db";
import { and, desc, eq } from "drizzle-orm";

/** A connection's provider and newest consent. */
export async function findSandboxConnection(db: Executor, organizationId: string, id: string) {
  const [connection] = await db
    .select({ provider: bankConnections.provider, consentId: bankConsents.id })
    .from(bankConnections)
    .innerJoin(bankConsents, refersTo(bankConsents, "connectionId", bankConnections))
    .where(hasKey(bankConnections, { organizationId, id }))
    .orderBy(desc(bankConsents.createdAt), desc(bankConsents.id))
    .limit(1);
  return connection;
}

/** The bank's id of one of our accounts. It is different under each consent. */
export async function listExternalAccountIds(
  db: Executor,
  organizationId: string,
  connectionId: string,
  accountId: string,
): Promise<string[]> {
  const rows = await db
    .select({ externalId: bankAccountSources.externalId })
    .from(bankAccountSources)
    .where(
      and(
        eq(bankAccountSources.organizationId, organizationId),
        eq(bankAccountSources.connectionId, connectionId),
        eq(bankAccountSources.accountId, accountId),
      ),
    );
  return rows.map(({ externalId }) => externalId);
}

/** The bank's id of one of our transactions. */
export async function findExternalTransactionId(
  db: Executor,
  organizationId: string,
  connectionId: string,
  id: string,
): Promise<string | undefined> {
  const [row] = await db
    .select({ externalId: bankTransactions.externalId })
    .from(bankTransactions)
    .where(
      and(
        eq(bankTransactions.organizationId, organizationId),
        eq(bankTransactions.connectionId, connectionId),
        eq(bankTransactions.id, id),
      ),
    );
  return row?.externalId;
}
