import { Card, SimpleGrid, Skeleton, Stack, Text, Title } from "@mantine/core";
import type { BankAccount, BankBalances } from "@purser/client";
import { useQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { useMemo } from "react";
import { LinePlot } from "../../components/line-plot.tsx";
import { formatMoney } from "../../lib/format.ts";
import { queries } from "../../lib/purser.ts";

export const Route = createFileRoute("/$organizationId/")({ component: Overview });

const days = 90;

function Overview() {
  const { organizationId } = Route.useParams();
  const range = useMemo(() => {
    const to = new Date(new Date().toISOString().slice(0, 10));
    return { from: new Date(to.getTime() - days * 86_400_000), to };
  }, []);
  const accounts = useQuery(queries.banking.accounts.list.queryOptions({ teamId: organizationId }));
  const balances = useQuery(
    queries.banking.reports.balances.queryOptions({ teamId: organizationId, ...range }),
  );
  return (
    <Stack>
      <Title order={1}>Overview</Title>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {accounts.data === undefined
          ? [0, 1, 2].map((index) => <Skeleton key={index} h={96} />)
          : totalsOf(accounts.data).map(([currency, total]) => (
              <Card key={currency} withBorder>
                <Text c="dimmed" size="sm">
                  Money in {currency}
                </Text>
                <Text fz={28} fw={650}>
                  {formatMoney(total, currency)}
                </Text>
              </Card>
            ))}
      </SimpleGrid>
      {balances.data === undefined ? (
        <Skeleton h={260} />
      ) : (
        currenciesOf(balances.data).map(([currency, points]) => (
          <Card key={currency} withBorder component="section" aria-label={`Balance in ${currency}`}>
            <Title order={2} size="h4" mb="sm">
              Balance in {currency}, last {days} days
            </Title>
            <LinePlot
              points={points}
              summary={`The balance in ${currency} went from ${formatMoney(points[0]?.value ?? 0, currency)} to ${formatMoney(points.at(-1)?.value ?? 0, currency)}`}
              formatValue={(value) => formatMoney(value, currency, { notation: "compact" })}
            />
          </Card>
        ))
      )}
    </Stack>
  );
}

function totalsOf(accounts: readonly BankAccount[]): [string, number][] {
  const totals = new Map<string, number>();
  for (const { currency, balance } of accounts) totals.set(currency, (totals.get(currency) ?? 0) + balance);
  return [...totals];
}

/** Adds up the balances of all accounts in a currency, day by day. */
function currenciesOf(balances: readonly BankBalances[]) {
  const currencies = Map.groupBy(balances, ({ currency }) => currency);
  return [...currencies].map(([currency, accounts]) => {
    const days = new Map<string, number>();
    for (const { points } of accounts)
      for (const { date, balance } of points) days.set(date, (days.get(date) ?? 0) + balance);
    const points = [...days].toSorted().map(([day, value]) => ({ at: new Date(day), value }));
    return [currency, points] as const;
  });
}
