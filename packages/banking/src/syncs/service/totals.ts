import type { Transaction } from "@purser/db";
import { listAccountIds } from "../../accounts/store/list.ts";
import type { ConnectionRow } from "../../connections/store.ts";
import { recountTotals } from "../store/daily-totals.ts";

/**
 * Recounts the daily totals of all accounts of a connection if its last sync did not keep them. The caller holds the
 * connection's lock.
 */
export async function recountIfOutdated(
  transaction: Transaction,
  { organizationId, id, syncedAt, totaledAt }: ConnectionRow,
): Promise<void> {
  // Unequal after a sync by a version of the service that did not keep totals: it wrote only `syncedAt`.
  if (totaledAt?.getTime() === syncedAt?.getTime()) return;
  await recountTotals(transaction, organizationId, await listAccountIds(transaction, organizationId, id));
}
