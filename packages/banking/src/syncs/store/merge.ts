import {
  type Executor,
  type Transaction,
  bankQuarantine,
  bankTransactions,
  mergedEpoch,
  unlistedEpoch,
} from "@purser/db";
import { and, asc, count, eq, gt, inArray, ne, sql } from "drizzle-orm";
import type { LedgerRow } from "../rules/matching.ts";
import { type ChangedTotal, selectChangedTotals, totaledColumns } from "./daily-totals.ts";
import { type LedgerKey, type LedgerWrite, lockRows } from "./ledger.ts";
import { recordset } from "./recordset.ts";

/** Two accounts of an organization: one continues, and the other is merged into it. */
export interface AccountPair {
  organizationId: string;
  accountId: string;
  intoAccountId: string;
}

/** Counts the rows of an account by day, oldest day first. Of removed rows, only those that are missing at the bank. */
export function countByDay(
  db: Executor,
  organizationId: string,
  accountId: string,
): Promise<{ day: string; rows: number }[]> {
  const { transactionDate: day, status } = bankTransactions;
  const isMissing = sql`EXISTS (SELECT FROM ${bankQuarantine} AS entry
    WHERE entry.organization_id = ${organizationId} AND entry.transaction_id = ${bankTransactions.id}
      AND entry.reason = 'MISSING_FROM_WINDOW')`;
  return db
    .select({ day, rows: count() })
    .from(bankTransactions)
    .where(
      and(
        eq(bankTransactions.organizationId, organizationId),
        eq(bankTransactions.accountId, accountId),
        sql`(${status} <> 'REMOVED' OR ${isMissing})`,
      ),
    )
    .groupBy(day)
    .orderBy(asc(day));
}

/** A row that changes its account. */
export interface MovedRow {
  id: string;
  status: LedgerRow["status"];
  /** The id that replaces the bank's if that belongs to another row. */
  formerId: string;
  /** Whether another row has the same transaction: then the bank's id becomes free for it. */
  isDuplicate: boolean;
}

/**
 * Whether a merge brought this row, and the bank of this connection has never listed it. The row stays until that bank lists
 * the same payment.
 */
export const isMergedRow = (
  row: Pick<LedgerRow, "connectionId" | "idEpoch">,
  { connectionId }: Pick<LedgerKey, "connectionId">,
): boolean =>
  row.idEpoch === unlistedEpoch || (row.idEpoch === mergedEpoch && row.connectionId !== connectionId);

/** Makes a row one that a merge brought. */
export const toMergedRow = (row: LedgerRow): LedgerRow => ({
  ...row,
  idEpoch: Math.min(row.idEpoch, mergedEpoch),
});

/**
 * Marks the rows of an account that other connections have read as rows of a merge. Pending ones are not: only their own bank
 * could post or withdraw them.
 */
export const markMergedRows = (
  transaction: Transaction,
  ledger: LedgerKey,
  accountId: string,
): Promise<void> => setEpoch(transaction, ledger, accountId, mergedEpoch, ne);

/** Marks the rows that a connection has read of an account which its bank does not list. */
export const markUnlistedRows = (
  transaction: Transaction,
  ledger: LedgerKey,
  accountId: string,
): Promise<void> => setEpoch(transaction, ledger, accountId, unlistedEpoch, eq);

/** How many rows one statement marks. An account may have a history of any length. */
const markAtOnce = 5000;

async function setEpoch(
  transaction: Transaction,
  { organizationId, connectionId }: LedgerKey,
  accountId: string,
  epoch: number,
  compare: typeof eq,
): Promise<void> {
  const { id, externalId, status, idEpoch } = bankTransactions;
  const ofAccount = and(
    eq(bankTransactions.organizationId, organizationId),
    eq(bankTransactions.accountId, accountId),
    compare(bankTransactions.connectionId, connectionId),
    ne(status, "PENDING"),
    gt(idEpoch, epoch),
  );
  type Page = { id: string; connectionId: string; externalId: string }[];
  let page: Page = [];
  do {
    const last = page.at(-1);
    // In the order of a unique index, so no page reads the rows of the pages before it.
    page = await transaction
      .select({ id, connectionId: bankTransactions.connectionId, externalId })
      .from(bankTransactions)
      .where(
        and(
          ofAccount,
          last &&
            sql`(${bankTransactions.connectionId}, ${externalId}) > (${last.connectionId}, ${last.externalId})`,
        ),
      )
      .orderBy(asc(bankTransactions.connectionId), asc(externalId))
      .limit(markAtOnce);
    const ids = page.map((row) => row.id);
    await transaction
      .update(bankTransactions)
      .set({ idEpoch: epoch })
      .where(
        and(eq(bankTransactions.organizationId, organizationId), sql`${id} = ANY(${sql.param(ids)}::text[])`),
      );
  } while (page.length === markAtOnce);
}

/**
 * Moves rows to the continuing account, and marks them as rows of a merge. A row keeps its external id unless
 * it is a duplicate, or the continuing account has a row with this id.
 */
export async function moveRows(
  transaction: Transaction,
  { organizationId, intoAccountId }: AccountPair,
  rows: readonly MovedRow[],
  { now, totals }: LedgerWrite,
): Promise<void> {
  if (rows.length === 0) return;
  const shape = `id text, status text, "formerId" text, "isDuplicate" boolean`;
  const changed = await transaction.execute<ChangedTotal>(sql`
    WITH item AS (SELECT * FROM ${recordset(rows, shape)}),
    before AS (${lockRows(organizationId)}),
    changed AS (UPDATE ${bankTransactions} AS row SET account_id = ${intoAccountId}::text, status = item.status,
      id_epoch = least(row.id_epoch, ${mergedEpoch}::int), updated_at = ${now.toISOString()}::timestamptz,
      external_id = CASE WHEN item."isDuplicate" OR EXISTS (SELECT FROM ${bankTransactions} AS other
        WHERE other.organization_id = ${organizationId}::text AND other.account_id = ${intoAccountId}::text
          AND other.connection_id = row.connection_id AND other.external_id = row.external_id)
        THEN item."formerId" ELSE row.external_id END
    FROM item JOIN before ON before.id = item.id
    WHERE row.organization_id = ${organizationId}::text AND row.id = before.id RETURNING ${totaledColumns})
    ${selectChangedTotals}`);
  totals.addChanged(changed);
}

/** A row that stays, and the other account's row of the same transaction. */
export type DuplicatePair = { id: string; duplicateId: string };

/** A row that lacks what a person set on its duplicate. */
type InheritingRow = DuplicatePair & Pick<LedgerRow, "accountId" | "status" | "transactionDate">;

/** Finds the rows that lack what a person set on their duplicates. Locks both, which keeps a person's later change out. */
export async function lockInheriting(
  transaction: Transaction,
  organizationId: string,
  pairs: readonly DuplicatePair[],
): Promise<InheritingRow[]> {
  if (pairs.length === 0) return [];
  return transaction.execute<InheritingRow>(sql`
    SELECT row.id, item."duplicateId", row.account_id AS "accountId", row.status,
      row.transaction_date::text AS "transactionDate"
    FROM ${recordset(pairs, `id text, "duplicateId" text`)}
    JOIN ${bankTransactions} AS row ON row.organization_id = ${organizationId}::text AND row.id = item.id
    JOIN ${bankTransactions} AS duplicate
      ON duplicate.organization_id = ${organizationId}::text AND duplicate.id = item."duplicateId"
    WHERE (row.note IS NULL AND duplicate.note IS NOT NULL)
      OR (row.own_category IS NULL AND duplicate.own_category IS NOT NULL)
    FOR UPDATE OF row, duplicate`);
}

/** Gives each row what a person set on its duplicate, unless a person set the same field on the row. */
export async function inheritFromDuplicates(
  transaction: Transaction,
  organizationId: string,
  pairs: readonly DuplicatePair[],
  { totals }: LedgerWrite,
): Promise<void> {
  if (pairs.length === 0) return;
  const changed = await transaction.execute<ChangedTotal>(sql`
    WITH item AS (SELECT pair.id, duplicate.note, duplicate.own_category
      FROM (SELECT * FROM ${recordset(pairs, `id text, "duplicateId" text`)}) AS pair
      JOIN ${bankTransactions} AS duplicate
        ON duplicate.organization_id = ${organizationId}::text AND duplicate.id = pair."duplicateId"),
    before AS (${lockRows(organizationId)}),
    changed AS (UPDATE ${bankTransactions} AS row SET note = coalesce(row.note, item.note),
      own_category = coalesce(row.own_category, item.own_category)
    FROM item JOIN before ON before.id = item.id
    WHERE row.organization_id = ${organizationId}::text AND row.id = before.id RETURNING ${totaledColumns})
    ${selectChangedTotals}`);
  totals.addChanged(changed);
}

/** Lists some of the rows of an account, whatever their status. */
export function listSomeRows(
  db: Executor,
  organizationId: string,
  accountId: string,
  rows: number,
): Promise<Pick<LedgerRow, "id" | "status" | "transactionDate">[]> {
  const { id, status, transactionDate } = bankTransactions;
  return db
    .select({ id, status, transactionDate })
    .from(bankTransactions)
    .where(
      and(eq(bankTransactions.organizationId, organizationId), eq(bankTransactions.accountId, accountId)),
    )
    .limit(rows);
}

/** Releases what is in quarantine about these rows. */
export async function releaseRows(
  transaction: Transaction,
  organizationId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const { transactionId } = bankQuarantine;
  await transaction
    .delete(bankQuarantine)
    .where(and(eq(bankQuarantine.organizationId, organizationId), inArray(transactionId, [...ids])));
}

/** Moves the quarantine of an account to the continuing one, except for entries that it has already. */
export async function moveQuarantine(
  transaction: Transaction,
  { organizationId, accountId, intoAccountId }: AccountPair,
): Promise<void> {
  const ofAccount = sql`entry.organization_id = ${organizationId}::text AND entry.account_id = ${accountId}::text`;
  await transaction.execute(sql`
    DELETE FROM ${bankQuarantine} AS entry WHERE ${ofAccount} AND EXISTS (SELECT FROM ${bankQuarantine} AS other
      WHERE other.organization_id = entry.organization_id AND other.account_id = ${intoAccountId}::text
        AND other.connection_id = entry.connection_id AND other.external_id = entry.external_id
        AND other.reason = entry.reason)`);
  await transaction.execute(
    sql`UPDATE ${bankQuarantine} AS entry SET account_id = ${intoAccountId}::text WHERE ${ofAccount}`,
  );
}
