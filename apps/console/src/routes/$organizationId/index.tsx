import { SegmentedControl, SimpleGrid } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { Page } from "../../components/page.tsx";
import { Problem } from "../../components/problem.tsx";
import { Rows } from "../../components/rows.tsx";
import { useOrganization } from "../../data/organization.ts";
import { queries } from "../../data/purser.ts";
import { Activity } from "./-overview/activity.tsx";
import { Attention } from "./-overview/attention.tsx";
import { BalancePlot, CashflowPlot, Spending } from "./-overview/plots.tsx";
import { Steps } from "./-overview/steps.tsx";
import { Totals, totalsOf } from "./-overview/totals.tsx";

interface Search {
  /** The currency of the plots. Without one, that of the most accounts. */
  currency?: string;
}

export const Route = createFileRoute("/$organizationId/")({
  validateSearch: ({ currency }: Record<string, unknown>): Search =>
    typeof currency === "string" && /^[A-Z]{3}$/.test(currency) ? { currency } : {},
  component: Overview,
});

function Overview() {
  const { organizationId, name, isOwner } = useOrganization();
  const navigate = Route.useNavigate();
  const search = Route.useSearch();
  const accounts = useQuery(queries.banking.accounts.list.queryOptions({ teamId: organizationId }));
  if (accounts.error !== null)
    return (
      <Page title="Overview">
        <Problem error={accounts.error} retry={accounts.refetch} />
      </Page>
    );
  if (accounts.data === undefined)
    return (
      <Page title="Overview">
        <Rows count={4} height={96} />
      </Page>
    );
  const totals = totalsOf(accounts.data);
  const currencies = totals.map(({ currency }) => currency);
  const currency = currencies.find((one) => one === search.currency) ?? currencies[0];
  return (
    <Page
      title="Overview"
      description={`The money of ${name}, what moved, and what needs you.`}
      actions={
        currencies.length > 1 && (
          <SegmentedControl
            size="xs"
            aria-label="Currency of the plots"
            data={currencies}
            value={currency ?? ""}
            onChange={(chosen) => void navigate({ search: { currency: chosen }, replace: true })}
          />
        )
      }
    >
      {isOwner && <Steps hasAccounts={accounts.data.length > 0} />}
      <Attention />
      <Totals totals={totals} />
      {currency !== undefined && (
        <>
          <BalancePlot currency={currency} />
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
            <CashflowPlot currency={currency} />
            <Spending currency={currency} />
          </SimpleGrid>
        </>
      )}
      <Activity />
    </Page>
  );
}
