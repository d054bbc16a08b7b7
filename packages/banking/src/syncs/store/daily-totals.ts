import { type Transaction, bankAccounts, bankDailyTotals, bankTransactions } from "@purser/db";
import { and, eq, sql } from "drizzle-orm";
import type { LedgerRow } from "../rules/matching.ts";
import { textColumns } from "./recordset.ts";

/** What a change of the ledger adds to the total of an account's day, in one currency and category. */
interface DailyTotal {
  accountId: string;
  day: string;
  currency: string;
  category: string;
  moneyIn: bigint;
  moneyOut: bigint;
}

/** As PostgreSQL returns a {@link DailyTotal}. */
export interface ChangedTotal extends Record<string, unknown> {
  accountId: string;
  day: string;
  currency: string;
  category: string;
  moneyIn: string;
  moneyOut: string;
}

/** The columns of a transaction that its total depends on. */
export const totaledColumns = sql`row.id, row.account_id, row.status, row.amount, row.currency, row.type,
  row.transaction_date, coalesce(row.own_category, row.category) AS category`;

/**
 * Ends a statement that changes rows: `before` and `changed` are its common table expressions with the
 * {@link totaledColumns} of the same rows. The caller's own copy of the rows may be older than `before`.
 */
export const selectChangedTotals = sql`
  SELECT account_id AS "accountId", transaction_date::text AS day, currency, coalesce(category, '') AS category,
    coalesce(sum(sign * amount) FILTER (WHERE type = 'CREDIT'), 0)::text AS "moneyIn",
    coalesce(sum(sign * amount) FILTER (WHERE type = 'DEBIT'), 0)::text AS "moneyOut"
  FROM (SELECT -1 AS sign, * FROM before UNION ALL SELECT 1 AS sign, * FROM changed) AS row
  WHERE status = 'POSTED'
  GROUP BY 1, 2, 3, 4
  HAVING sum(sign * amount) FILTER (WHERE type = 'CREDIT') <> 0
    OR sum(sign * amount) FILTER (WHERE type = 'DEBIT') <> 0`;

/**
 * Collects what the statements of one database transaction change in the daily totals. `write` must follow, best as the
 * last write: the totals stay locked until the commit.
 */
export class DailyTotals {
  readonly #changes = new Map<string, DailyTotal>();

  /** Adds inserted rows. */
  addRows(rows: readonly LedgerRow[]): void {
    for (const { accountId, status, amount, currency, type, transactionDate, category } of rows) {
      if (status !== "POSTED") continue;
      const total = this.#totalOf(accountId, transactionDate, currency, category ?? "");
      if (type === "CREDIT") total.moneyIn += BigInt(amount);
      else total.moneyOut += BigInt(amount);
    }
  }

  /** Adds what {@link selectChangedTotals} returned. */
  addChanged(changed: Iterable<ChangedTotal>): void {
    for (const { accountId, day, currency, category, moneyIn, moneyOut } of changed) {
      const total = this.#totalOf(accountId, day, currency, category);
      total.moneyIn += BigInt(moneyIn);
      total.moneyOut += BigInt(moneyOut);
    }
  }

  /** Writes the totals in the order of their keys, so that two writers cannot wait for each other. */
  async write(transaction: Transaction, organizationId: string): Promise<void> {
    const byCategory = [...this.#changes].filter(
      ([, { moneyIn, moneyOut }]) => moneyIn !== 0n || moneyOut !== 0n,
    );
    this.#changes.clear();
    const ordered = byCategory.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, total]) => total);
    await addToTotals(transaction, organizationId, false, sumCategories(ordered));
    await addToTotals(transaction, organizationId, true, ordered);
  }

  #totalOf(accountId: string, day: string, currency: string, category: string): DailyTotal {
    const key = `${day} ${accountId} ${currency} ${category}`;
    let total = this.#changes.get(key);
    if (total === undefined) {
      total = { accountId, day, currency, category, moneyIn: 0n, moneyOut: 0n };
      this.#changes.set(key, total);
    }
    return total;
  }
}

/** Sums the categories of each account, day and currency, in the order of the totals. */
function sumCategories(totals: readonly DailyTotal[]): DailyTotal[] {
  const sums = new Map<string, DailyTotal>();
  for (const { accountId, day, currency, moneyIn, moneyOut } of totals) {
    const key = `${day} ${accountId} ${currency}`;
    const sum = sums.get(key) ?? { accountId, day, currency, category: "", moneyIn: 0n, moneyOut: 0n };
    sums.set(key, { ...sum, moneyIn: sum.moneyIn + moneyIn, moneyOut: sum.moneyOut + moneyOut });
  }
  return [...sums.values()];
}

const chunkTotals = 5000;

async function addToTotals(
  transaction: Transaction,
  organizationId: string,
  byCategory: boolean,
  changes: readonly DailyTotal[],
): Promise<void> {
  for (let start = 0; start < changes.length; start += chunkTotals) {
    const items = changes.slice(start, start + chunkTotals);
    await transaction.execute(sql`
      INSERT INTO ${bankDailyTotals} (organization_id, by_category, day, account_id, currency, category, money_in, money_out)
      SELECT ${organizationId}::text, ${byCategory}::boolean, day::date, "accountId", currency, category, "moneyIn"::bigint,
        "moneyOut"::bigint
      FROM ${textColumns(items, ["day", "accountId", "currency", "category", "moneyIn", "moneyOut"])}
      ON CONFLICT (organization_id, by_category, day, account_id, currency, category) DO UPDATE
      SET money_in = ${bankDailyTotals.moneyIn} + excluded.money_in,
        money_out = ${bankDailyTotals.moneyOut} + excluded.money_out`);
  }
}

/** Deletes the totals of an account whose rows have all moved to another one. */
export async function deleteTotals(
  transaction: Transaction,
  organizationId: string,
  accountId: string,
): Promise<void> {
  const { organizationId: organization, accountId: account } = bankDailyTotals;
  await transaction
    .delete(bankDailyTotals)
    .where(and(eq(organization, organizationId), eq(account, accountId)));
}

/**
 * Recomputes the totals of an organization's accounts, after another version of the service wrote to the ledger without
 * them. The caller holds the locks of the connections that read these accounts.
 */
export async function recountTotals(
  transaction: Transaction,
  organizationId: string,
  accountIds: readonly string[],
): Promise<void> {
  const ids = sql`${sql.param(accountIds)}::text[]`;
  await transaction.execute(sql`
    DELETE FROM ${bankDailyTotals} AS total WHERE organization_id = ${organizationId}::text AND (account_id = ANY(${ids})
      OR NOT EXISTS (SELECT FROM ${bankAccounts} AS account
        WHERE account.organization_id = total.organization_id AND account.id = total.account_id))`);
  await transaction.execute(sql`
    INSERT INTO ${bankDailyTotals} (organization_id, by_category, day, account_id, currency, category, money_in, money_out)
    SELECT organization_id, grouping(coalesce(own_category, category, '')) = 0, transaction_date, account_id, currency,
      coalesce(coalesce(own_category, category, ''), ''), coalesce(sum(amount) FILTER (WHERE type = 'CREDIT'), 0),
      coalesce(sum(amount) FILTER (WHERE type = 'DEBIT'), 0)
    FROM ${bankTransactions} WHERE organization_id = ${organizationId}::text AND account_id = ANY(${ids})
      AND status = 'POSTED'
    GROUP BY organization_id, transaction_date, account_id, currency, GROUPING SETS ((coalesce(own_category, category, '')), ())`);
}
