import {
  type Database,
  type Executor,
  type TenantKey,
  type Transaction,
  bankQuarantine,
  deleteInBatches,
  hasKey,
} from "@purser/db";
import { and, desc, eq, isNull, lt, sql } from "drizzle-orm";
import type { QuarantineRow } from "../syncs/store/quarantine.ts";

/** Lists the entries that are not resolved, newest first. */
export function listQuarantineRows(
  db: Executor,
  organizationId: string,
  after: string | undefined,
  rows: number,
): Promise<QuarantineRow[]> {
  return db
    .select()
    .from(bankQuarantine)
    .where(
      and(
        eq(bankQuarantine.organizationId, organizationId),
        isNull(bankQuarantine.resolution),
        after === undefined ? undefined : lt(bankQuarantine.id, after),
      ),
    )
    .orderBy(desc(bankQuarantine.id))
    .limit(rows);
}

/** Finds an entry that is not resolved, with its account and the connection that reported it. */
export async function findQuarantined(db: Executor, organizationId: string, id: string) {
  const { connectionId, accountId } = bankQuarantine;
  const [entry] = await db
    .select({ id: bankQuarantine.id, connectionId, accountId })
    .from(bankQuarantine)
    .where(and(hasKey(bankQuarantine, { organizationId, id }), isNull(bankQuarantine.resolution)));
  return entry;
}

/** Locks an entry that is not resolved. */
export async function lockQuarantineRow(
  transaction: Transaction,
  organizationId: string,
  id: string,
): Promise<QuarantineRow | undefined> {
  const [entry] = await transaction
    .select()
    .from(bankQuarantine)
    .where(and(hasKey(bankQuarantine, { organizationId, id }), isNull(bankQuarantine.resolution)))
    .for("update");
  return entry;
}

export async function resolveQuarantineRow(
  transaction: Transaction,
  entry: TenantKey,
  change: Pick<QuarantineRow, "resolution" | "resolvedAt" | "transactionId">,
): Promise<void> {
  await transaction.update(bankQuarantine).set(change).where(hasKey(bankQuarantine, entry));
}

/** Deletes the entries that no sync has seen since this instant, except for decisions about a row. Returns how many. */
export function purgeQuarantine(db: Database, before: Date): Promise<number> {
  const { lastSeenAt, resolution, transactionId } = bankQuarantine;
  // Without it, the next reading from the beginning would undo the decision.
  const isDecision = sql`(${resolution} IS NOT NULL AND ${transactionId} IS NOT NULL)`;
  return deleteInBatches(db, bankQuarantine, and(lt(lastSeenAt, before), sql`NOT ${isDecision}`));
}
