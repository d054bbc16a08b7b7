import { type Database, type NodePools, type Transaction, setOrganization } from "@purser/db";
import { retryTransaction } from "./retry-transaction.ts";

/** Where organizations are: in one database, or on the nodes of a cluster. A part of `Platform`. */
export interface Databases {
  db: Database;
  nodes: { requests: NodePools } | null;
}

/** Returns where the tables of an organization are: on a cluster, on the node that holds it. */
export function databaseOf({ db, nodes }: Databases, organizationId: string): Database | Promise<Database> {
  return nodes === null ? db : nodes.requests.poolOf(organizationId);
}

/**
 * Runs a change of nothing but the tables of an organization, and the outbox, as one transaction: on a cluster, on the node that
 * holds the organization. `work` may run more than once.
 */
export function changeOrganization<Output>(
  platform: Databases,
  organizationId: string,
  work: (transaction: Transaction) => Promise<Output>,
): Promise<Output> {
  return retryTransaction(async () => {
    const db = await databaseOf(platform, organizationId);
    return db.transaction((transaction) => {
      if (platform.nodes !== null) setOrganization(transaction, organizationId);
      return work(transaction);
    });
  });
}
