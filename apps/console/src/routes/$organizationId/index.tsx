import { SegmentedControl, SimpleGrid } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { Page } from "../../components/page.tsx";
import { Problem } from "../../components/problem.tsx";
import { Rows } from "../../components/rows.tsx";
import { failedQuery } from "../../data/failed-query.ts";
import { allAccounts, isConnected } from "../../data/lists.ts";
import { useOrganization } from "../../data/organization.ts";
import { type ReportPeriod, isReportPeriod } from "../../data/report-days.ts";
import { zonedDay } from "../../data/zoned-day.ts";
import { Activity } from "./-overview/activity.tsx";
import { OverviewAlerts } from "./-overview/alerts.tsx";
import { totalBalances } from "./-overview/balances.ts";
import { BalancePlot, CashflowPlot } from "./-overview/plots.tsx";
import { startOverview } from "./-overview/queries.ts";
import { Spending } from "./-overview/spending.tsx";
import { Steps } from "./-overview/steps.tsx";
import { Totals } from "./-overview/totals.tsx";

interface Search {
  /** The currency of the plots. Without one, that of the most accounts. */
  currency?: string;
  /** Of which the spending is shown. Without one, this month and the last two. */
  period?: ReportPeriod;
}

const defaultPeriod: ReportPeriod = "3-months";

export const Route = createFileRoute("/$organizationId/")({
  validateSearch: ({ currency, period }: Record<string, unknown>): Search => ({
    ...(typeof currency === "string" && /^[A-Z]{3}$/.test(currency) && { currency }),
    ...(isReportPeriod(period) && { period }),
  }),
  loaderDeps: ({ search: { period = defaultPeriod } }) => ({ period }),
  loader: ({ context, params, deps }) =>
    startOverview(
      context.queryClient,
      params.organizationId,
      deps.period,
      zonedDay(new Date(), context.timeZone),
    ),
  component: Overview,
});

function Overview() {
  const { organizationId, name } = useOrganization();
  const navigate = Route.useNavigate();
  const search = Route.useSearch();
  const choose = (chosen: Search) =>
    void navigate({ search: { ...search, ...chosen }, replace: true, resetScroll: false });
  const accounts = useQuery(allAccounts(organizationId));
  const failed = failedQuery(accounts);
  if (failed !== undefined)
    return (
      <Page title="Overview">
        <Problem error={failed.error} retry={failed.refetch} />
      </Page>
    );
  if (accounts.data === undefined)
    return (
      <Page title="Overview">
        <Rows count={4} height={96} />
      </Page>
    );
  const totals = totalBalances(accounts.data);
  const currencies = totals.map(({ currency }) => currency);
  const currency = currencies.find((one) => one === search.currency) ?? currencies[0];
  return (
    <Page
      title="Overview"
      description={`The money of ${name}, what moved, and what needs you.`}
      actions={
        currencies.length > 1 && (
          <SegmentedControl
            aria-label="Currency of the plots"
            data={currencies}
            value={currency ?? ""}
            onChange={(chosen) => choose({ currency: chosen })}
          />
        )
      }
    >
      <Steps hasAccounts={accounts.data.some(isConnected)} />
      <OverviewAlerts />
      <Totals totals={totals} />
      {currency !== undefined && (
        <>
          <BalancePlot currency={currency} accounts={accounts.data} />
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
            <CashflowPlot currency={currency} />
            <Spending
              currency={currency}
              period={search.period ?? defaultPeriod}
              onPeriod={(period) => choose({ period })}
            />
          </SimpleGrid>
        </>
      )}
      <Activity />
    </Page>
  );
}
