import { newId } from "@purser/core";
import { type Executor, type Transaction, bankQuarantine } from "@purser/db";
import { and, desc, eq, inArray, isNull, sql } from "drizzle-orm";
import type { LedgerKey } from "./ledger.ts";

export type QuarantineRow = typeof bankQuarantine.$inferSelect;

/** A report to quarantine. */
export type Quarantined = Pick<
  QuarantineRow,
  "accountId" | "connectionId" | "externalId" | "transactionId" | "reason" | "report"
>;

const quarantineShape = `id text, "accountId" text, "connectionId" text, "externalId" text, "transactionId" text,
  reason text, report text`;

/**
 * Records reports for a person to look at. The same report again only moves its last time; what a person resolved stays
 * resolved until the bank reports something else. Returns the ids of the entries.
 */
export async function insertQuarantined(
  transaction: Transaction,
  organizationId: string,
  rows: readonly Quarantined[],
  now: Date,
): Promise<string[]> {
  if (rows.length === 0) return [];
  const at = now.toISOString();
  // A statement must not update a row twice.
  const distinct = new Map(
    rows.map((row) => [JSON.stringify([row.accountId, row.externalId, row.reason]), row]),
  );
  const items = [...distinct.values()].map((row) => ({ ...row, id: newId("bqu", now) }));
  const table = bankQuarantine;
  const entries = await transaction.execute<{ id: string }>(sql`
    INSERT INTO ${table} (organization_id, id, account_id, connection_id, external_id, transaction_id, reason, facts,
      first_seen_at, last_seen_at)
    SELECT ${organizationId}::text, id, "accountId", "connectionId", "externalId", "transactionId", reason, report,
      ${at}::timestamptz, ${at}::timestamptz
    FROM json_to_recordset(${JSON.stringify(items)}::json) AS item(${sql.raw(quarantineShape)})
    ON CONFLICT (organization_id, account_id, connection_id, external_id, reason) DO UPDATE SET
      last_seen_at = excluded.last_seen_at, facts = excluded.facts, 
      transaction_id = coalesce(excluded.transaction_id, ${table}.transaction_id),
      resolution = CASE WHEN ${table}.facts = excluded.facts THEN ${table}.resolution END,
      resolved_at = CASE WHEN ${table}.facts = excluded.facts THEN ${table}.resolved_at END
    RETURNING id`);
  return entries.map(({ id }) => id);
}

/** Whether an organization has anything in quarantine. */
export async function hasQuarantine(db: Executor, organizationId: string): Promise<boolean> {
  const some = await db
    .select({ id: bankQuarantine.id })
    .from(bankQuarantine)
    .where(eq(bankQuarantine.organizationId, organizationId))
    .limit(1);
  return some.length > 0;
}

/**
 * Finds the entries about what the bank reports without a conflict: by the row, or by the external id. An id without a
 * row is that of several transactions, so it confirms only entries that are about no row either.
 */
export async function findConfirmed(
  transaction: Transaction,
  { organizationId, connectionId }: LedgerKey,
  confirmed: readonly { id: string | null; accountId: string; externalId: string }[],
): Promise<string[]> {
  if (confirmed.length === 0) return [];
  const items = confirmed.map(({ id, accountId, externalId }) => ({ id, accountId, externalId }));
  const entries = await transaction.execute<{ id: string }>(sql`
    SELECT entry.id FROM ${bankQuarantine} AS entry
    JOIN json_to_recordset(${JSON.stringify(items)}::json) AS item(id text, "accountId" text, "externalId" text)
      ON entry.transaction_id = item.id
        OR (entry.connection_id = ${connectionId}::text AND entry.account_id = item."accountId"
          AND entry.external_id = item."externalId" AND (item.id IS NOT NULL OR entry.transaction_id IS NULL))
    WHERE entry.organization_id = ${organizationId}::text`);
  return entries.map(({ id }) => id);
}

export async function deleteQuarantined(
  transaction: Transaction,
  organizationId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await transaction
    .delete(bankQuarantine)
    .where(and(eq(bankQuarantine.organizationId, organizationId), inArray(bankQuarantine.id, [...ids])));
}

/** Releases the entries about these accounts of the bank, which it now lists in full. */
export async function releaseAccounts(
  transaction: Transaction,
  { organizationId, connectionId }: LedgerKey,
  externalIds: readonly string[],
): Promise<void> {
  await transaction
    .delete(bankQuarantine)
    .where(
      and(
        eq(bankQuarantine.organizationId, organizationId),
        eq(bankQuarantine.connectionId, connectionId),
        inArray(bankQuarantine.reason, ["UNKNOWN_ACCOUNT", "UNREADABLE"]),
        inArray(bankQuarantine.externalId, [...externalIds]),
      ),
    );
}

/** Deletes the entries about other amounts of these rows, which are removed. */
export async function deleteConflicts(
  transaction: Transaction,
  organizationId: string,
  rows: readonly { id: string }[],
): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  await transaction
    .delete(bankQuarantine)
    .where(
      and(
        eq(bankQuarantine.organizationId, organizationId),
        eq(bankQuarantine.reason, "DIFFERENT_AMOUNT"),
        inArray(bankQuarantine.transactionId, ids),
      ),
    );
}

/**
 * Returns the ids of the missing rows that an owner has accepted as missing, and records that they are still missing. An owner
 * who accepted another amount of a row decided nothing about a bank that does not list the row.
 */
export async function keepAccepted(
  transaction: Transaction,
  organizationId: string,
  rows: readonly { id: string }[],
  now: Date,
): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set();
  const accepted = await transaction
    .update(bankQuarantine)
    .set({ lastSeenAt: now })
    .where(
      and(
        eq(bankQuarantine.organizationId, organizationId),
        inArray(
          bankQuarantine.transactionId,
          rows.map(({ id }) => id),
        ),
        eq(bankQuarantine.reason, "MISSING_FROM_WINDOW"),
        eq(bankQuarantine.resolution, "ACCEPTED"),
      ),
    )
    .returning({ id: bankQuarantine.transactionId });
  return new Set(accepted.map(({ id }) => id!));
}

/** Lists the unresolved quarantine of all organizations for an operator, newest first. */
export function listQuarantine(db: Executor, rows: number): Promise<QuarantineRow[]> {
  return db
    .select()
    .from(bankQuarantine)
    .where(isNull(bankQuarantine.resolution))
    .orderBy(desc(bankQuarantine.lastSeenAt))
    .limit(rows);
}

/** Counts what is in quarantine and not resolved, by reason. */
export function countQuarantined(db: Executor): Promise<{ reason: string; value: number }[]> {
  return db.execute(
    sql`SELECT lower(reason) AS reason, count(*)::int AS value FROM ${bankQuarantine}
      WHERE resolution IS NULL GROUP BY 1`,
  );
}
