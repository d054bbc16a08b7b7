import { type Executor, bankAccounts, bankConnections, bankDailyTotals, readColumns } from "@purser/db";
import { type ReportDays, reportedSum } from "@purser/core";
import { type SQL, and, eq, sql } from "drizzle-orm";
import type { CashflowInterval } from "./contract.ts";
import type { AccountNet, PeriodTotal } from "./rules.ts";

export interface ReportScope {
  organizationId: string;
  /** Only this account; undefined for all accounts of the organization. */
  accountId: string | undefined;
  days: ReportDays;
}

/**
 * Lists the present balances of the accounts with their net money by day, newest account first. One statement, because a
 * balance is the sum of the totals of the same moment. Money in another currency than the account's is not in its balance.
 */
export async function listAccountNets(
  db: Executor,
  { organizationId, accountId, days }: ReportScope,
): Promise<AccountNet[]> {
  const { accountId: accountIds, ...columns } = await readColumns<ColumnsOf<AccountNet>>(
    db,
    sql`
    SELECT account.id AS "accountId", account.currency, account.balance, account.balance_current AS "isBalanceCurrent",
      known.since AS "knownSince", net.day, coalesce(net.net, 0)::text AS net
    FROM ${bankAccounts} AS account
    JOIN ${bankConnections} AS connection
      ON connection.organization_id = account.organization_id AND connection.id = account.connection_id
    CROSS JOIN LATERAL (
      SELECT CASE WHEN connection.backfilling THEN coalesce(min(day) - 1, 'infinity') END AS since
      FROM ${bankDailyTotals} AS total
      WHERE connection.backfilling AND organization_id = ${organizationId}::text AND by_category = false
        AND account_id = account.id AND (money_in <> 0 OR money_out <> 0)
    ) AS known
    LEFT JOIN (
      SELECT account_id, currency, CASE WHEN day <= ${days.last}::date THEN day END AS day,
        sum(money_in - money_out) AS net
      FROM ${bankDailyTotals} AS total
      WHERE organization_id = ${organizationId}::text AND by_category = false AND day >= ${days.first}::date ${ofAccount(accountId)}
      GROUP BY 1, 2, 3
    ) AS net ON net.account_id = account.id AND net.currency = account.currency
    WHERE account.organization_id = ${organizationId}::text ${accountId === undefined ? sql`` : sql`AND account.id = ${accountId}::text`}
    ORDER BY account.id DESC`,
    ["accountId", "currency", "balance", "isBalanceCurrent", "knownSince", "day", "net"],
  );
  return accountIds.map((id, index) => ({
    accountId: id,
    currency: columns.currency[index]!,
    balance: columns.balance[index]!,
    isBalanceCurrent: columns.isBalanceCurrent[index]!,
    knownSince: columns.knownSince[index]!,
    day: columns.day[index]!,
    net: columns.net[index]!,
  }));
}

type ColumnsOf<Row> = { [Column in keyof Row]: Row[Column][] };

const ofAccount = (accountId: string | undefined): SQL =>
  accountId === undefined ? sql`` : sql`AND account_id = ${accountId}::text`;

/** The first day of the period of a total. */
const starts: Readonly<Record<CashflowInterval, SQL>> = {
  day: sql`day`,
  week: sql`date_trunc('week', day::timestamp)::date`,
  month: sql`date_trunc('month', day::timestamp)::date`,
};

/** Sums the money of each period, by currency and, if the report is grouped, by category. */
export async function sumPeriods(
  db: Executor,
  { organizationId, accountId, days }: ReportScope,
  interval: CashflowInterval,
  isGrouped: boolean,
): Promise<PeriodTotal[]> {
  const sums = await readColumns<
    ColumnsOf<Record<"currency" | "start" | "moneyIn" | "moneyOut" | "category", string>>
  >(
    db,
    sql`
    SELECT currency, ${starts[interval]} AS start, sum(money_in)::text AS "moneyIn", sum(money_out)::text AS "moneyOut",
      ${isGrouped ? sql`category` : sql`'' AS category`}
    FROM ${bankDailyTotals} AS total
    WHERE organization_id = ${organizationId}::text AND by_category = ${sql.raw(String(isGrouped))}
      AND day BETWEEN ${days.first}::date AND ${days.last}::date
      ${ofAccount(accountId)}
    GROUP BY 1, 2, 5
    HAVING sum(money_in) <> 0 OR sum(money_out) <> 0`,
    ["currency", "start", "moneyIn", "moneyOut", "category"],
  );
  return sums.currency.map((currency, index) => {
    const category = sums.category[index]!;
    return {
      currency,
      start: sums.start[index]!,
      moneyIn: reportedSum(BigInt(sums.moneyIn[index]!)),
      moneyOut: reportedSum(BigInt(sums.moneyOut[index]!)),
      ...(isGrouped && { category: category === "" ? null : category }),
    };
  });
}

/** Lists the currencies of the accounts. */
export async function listCurrencies(
  db: Executor,
  { organizationId, accountId }: Pick<ReportScope, "organizationId" | "accountId">,
): Promise<string[]> {
  const found = await db
    .selectDistinct({ currency: bankAccounts.currency })
    .from(bankAccounts)
    .where(
      and(
        eq(bankAccounts.organizationId, organizationId),
        accountId === undefined ? undefined : eq(bankAccounts.id, accountId),
      ),
    );
  return found.map(({ currency }) => currency);
}
