import { type Executor, type Transaction, bankQuarantine } from "@purser/db";
import { and, desc, eq, sql } from "drizzle-orm";
import type { Ledger } from "./ledger.ts";

export type Quarantined = Omit<typeof bankQuarantine.$inferInsert, "firstSeenAt" | "lastSeenAt">;

/** Records reports that contradict the ledger, for a person to look at. */
export async function quarantine(
  transaction: Transaction,
  rows: readonly Quarantined[],
  now: Date,
): Promise<void> {
  for (const row of rows) {
    await transaction
      .insert(bankQuarantine)
      .values({ ...row, firstSeenAt: now, lastSeenAt: now })
      .onConflictDoUpdate({
        target: [
          bankQuarantine.organizationId,
          bankQuarantine.accountId,
          bankQuarantine.connectionId,
          bankQuarantine.externalId,
          bankQuarantine.reason,
        ],
        set: { facts: row.facts, lastSeenAt: now },
      });
  }
}

/** Lists the ids in quarantine of a connection. A valid report of an id releases it. */
export async function listQuarantined(db: Executor, { organizationId, connectionId }: Ledger) {
  return db
    .select({ accountId: bankQuarantine.accountId, externalId: bankQuarantine.externalId })
    .from(bankQuarantine)
    .where(
      and(eq(bankQuarantine.organizationId, organizationId), eq(bankQuarantine.connectionId, connectionId)),
    );
}

export async function releaseQuarantined(
  transaction: Transaction,
  { organizationId, connectionId }: Ledger,
  ids: readonly { accountId: string; externalId: string }[],
): Promise<void> {
  for (const { accountId, externalId } of ids) {
    await transaction
      .delete(bankQuarantine)
      .where(
        and(
          eq(bankQuarantine.organizationId, organizationId),
          eq(bankQuarantine.connectionId, connectionId),
          eq(bankQuarantine.accountId, accountId),
          eq(bankQuarantine.externalId, externalId),
        ),
      );
  }
}

/** Lists the quarantine for an operator, newest first. */
export function listQuarantine(db: Executor, rows: number) {
  return db.select().from(bankQuarantine).orderBy(desc(bankQuarantine.lastSeenAt)).limit(rows);
}

/** Counts the transactions in quarantine by reason. */
export function countQuarantined(db: Executor): Promise<{ reason: string; value: number }[]> {
  return db.execute(
    sql`SELECT lower(reason) AS reason, count(*)::int AS value FROM ${bankQuarantine} GROUP BY 1`,
  );
}
