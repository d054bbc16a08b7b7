import { type TenantKey, type Transaction, bankTransactions, hasKey } from "@purser/db";
import { and, sql } from "drizzle-orm";
import {
  type ChangedTotal,
  DailyTotals,
  selectChangedTotals,
  totaledColumns,
} from "../../syncs/store/daily-totals.ts";
import { lockRows } from "../../syncs/store/ledger.ts";
import { isPresentRow } from "./list.ts";

/** What a person sets on a transaction; null for nothing. */
export interface PersonalValues {
  ownCategory: string | null;
  note: string | null;
}

/** Reads and locks what a person set on a posted or pending transaction, and the bank's category. */
export async function lockPersonalValues(transaction: Transaction, organizationId: string, id: string) {
  const { ownCategory, note, category } = bankTransactions;
  const [row] = await transaction
    .select({ ownCategory, note, bankCategory: category })
    .from(bankTransactions)
    .where(and(hasKey(bankTransactions, { organizationId, id }), isPresentRow))
    .for("update");
  return row;
}

/** Writes what a person set, and moves the money between the daily totals of the categories. */
export async function setPersonalValues(
  transaction: Transaction,
  { organizationId, id }: TenantKey,
  { ownCategory, note }: PersonalValues,
  updatedAt: Date,
): Promise<void> {
  const totals = new DailyTotals();
  const changed = await transaction.execute<ChangedTotal>(sql`
    WITH item AS (SELECT ${id}::text AS id),
    before AS (${lockRows(organizationId)}),
    changed AS (UPDATE ${bankTransactions} AS row SET own_category = ${ownCategory}::text, note = ${note}::text,
      updated_at = ${updatedAt.toISOString()}::timestamptz
    FROM before
    WHERE row.organization_id = ${organizationId}::text AND row.id = before.id RETURNING ${totaledColumns})
    ${selectChangedTotals}`);
  totals.addChanged(changed);
  await totals.write(transaction, organizationId);
}
