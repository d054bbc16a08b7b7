import type { QueryClient } from "@tanstack/react-query";
import { allAccounts, allCards } from "../../../data/lists.ts";
import { queries } from "../../../data/purser.ts";
import {
  type ReportPeriod,
  rangeOfSpan,
  reportPeriods,
  spanOfDays,
  spanOfMonths,
} from "../../../data/report-days.ts";

const { reports, transactions, connections } = queries.banking;

export const balanceDays = 90;
const months = 6;
/** As many movements as the list of the newest shows. */
export const shownMovements = 8;

export const balancesQuery = (teamId: string, today: string) =>
  reports.balances.queryOptions({ teamId, ...rangeOfSpan(spanOfDays(today, balanceDays)) });

export const cashflowQuery = (teamId: string, today: string) =>
  reports.cashflow.queryOptions({
    teamId,
    ...rangeOfSpan(spanOfMonths(today, months)),
    interval: "month",
  });

export const spendingQuery = (teamId: string, period: ReportPeriod, today: string) =>
  reports.cashflow.queryOptions({
    teamId,
    ...rangeOfSpan(reportPeriods[period].days(today)),
    interval: "month",
    groupBy: "category",
  });

export const newestBankTransactionsQuery = (teamId: string) =>
  transactions.list.queryOptions({ teamId, status: "ALL", limit: shownMovements });

export const newestPurchasesQuery = (organizationId: string) =>
  queries.cards.transactions.list.queryOptions({ organizationId, limit: shownMovements });

/** Asks for all that the page shows while its script is still on its way. */
export function startOverview(
  client: QueryClient,
  organizationId: string,
  period: ReportPeriod,
  today: string,
): void {
  const teamId = organizationId;
  // A failure shows where the query is used.
  const start = (query: Promise<unknown>) => void query.catch(() => undefined);
  start(client.query(allAccounts(teamId)));
  start(client.query(balancesQuery(teamId, today)));
  start(client.query(cashflowQuery(teamId, today)));
  start(client.query(spendingQuery(teamId, period, today)));
  start(client.query(newestBankTransactionsQuery(teamId)));
  start(client.query(newestPurchasesQuery(organizationId)));
  start(client.query(connections.health.queryOptions({ teamId })));
  start(client.query(allCards(organizationId)));
}
