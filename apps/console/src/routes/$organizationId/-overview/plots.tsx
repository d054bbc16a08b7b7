import { Card, Group, Progress, Skeleton, Stack, Text, Title } from "@mantine/core";
import type { BankBalances } from "@purser/client";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";
import { Amount } from "../../../components/amount.tsx";
import { BarPlot } from "../../../components/bar-plot.tsx";
import { LinePlot } from "../../../components/line-plot.tsx";
import { Problem } from "../../../components/problem.tsx";
import { formatMoney, formatMonth, inWords } from "../../../data/format.ts";
import { useOrganization } from "../../../data/organization.ts";
import { queries } from "../../../data/purser.ts";

const days = 90;
const months = 6;
const categories = 7;
const dayMs = 86_400_000;

/** The balance of all accounts in a currency, day by day. */
export function BalancePlot({ currency }: { currency: string }) {
  const { organizationId } = useOrganization();
  const range = useMemo(() => ({ from: new Date(today().getTime() - days * dayMs), to: today() }), []);
  const report = useQuery(
    queries.banking.reports.balances.queryOptions({ teamId: organizationId, ...range }),
  );
  const exact = (value: number) => formatMoney(value, currency);
  return (
    <Section title={`Balance, last ${days} days`} report={report}>
      {(balances) => {
        const points = pointsOf(balances.filter((own) => own.currency === currency));
        const [first, last] = [points[0]?.value ?? 0, points.at(-1)?.value ?? 0];
        return (
          <LinePlot
            points={points}
            summary={`The balance in ${currency} went from ${exact(first)} to ${exact(last)} in ${days} days`}
            formatValue={(value) => formatMoney(value, currency, { notation: "compact" })}
            formatExact={exact}
          />
        );
      }}
    </Section>
  );
}

/** What came in and went out, month by month. */
export function CashflowPlot({ currency }: { currency: string }) {
  const { organizationId } = useOrganization();
  const range = useMemo(() => ({ from: monthsAgo(months - 1), to: today() }), []);
  const report = useQuery(
    queries.banking.reports.cashflow.queryOptions({ teamId: organizationId, ...range, interval: "month" }),
  );
  return (
    <Section title="Money in and out by month" report={report}>
      {(flows) => {
        const own = flows
          .filter((flow) => flow.currency === currency)
          .toSorted((a, b) => a.start.localeCompare(b.start));
        const sum = (values: readonly number[]) =>
          formatMoney(
            values.reduce((total, value) => total + value, 0),
            currency,
          );
        return (
          <BarPlot
            groups={own.map(({ start, moneyIn, moneyOut }) => ({
              label: formatMonth(start),
              values: [moneyIn, moneyOut],
            }))}
            series={["Money in", "Money out"]}
            summary={`In ${own.length} months ${sum(own.map(({ moneyIn }) => moneyIn))} came in and ${sum(own.map(({ moneyOut }) => moneyOut))} went out`}
            formatValue={(value) => formatMoney(value, currency, { notation: "compact" })}
            formatExact={(value) => formatMoney(value, currency)}
          />
        );
      }}
    </Section>
  );
}

/** What was spent this month and the last two, by category, the most first. */
export function Spending({ currency }: { currency: string }) {
  const { organizationId } = useOrganization();
  const range = useMemo(() => ({ from: monthsAgo(2), to: today() }), []);
  const report = useQuery(
    queries.banking.reports.cashflow.queryOptions({
      teamId: organizationId,
      ...range,
      interval: "month",
      groupBy: "category",
    }),
  );
  return (
    <Section title="Spending by category, last 3 months" report={report}>
      {(flows) => {
        const own = flows.filter((flow) => flow.currency === currency);
        const byCategory = [...Map.groupBy(own, ({ category }) => category ?? "Uncategorized")]
          .map(([category, items]) => ({
            category,
            spent: items.reduce((sum, { moneyOut }) => sum + moneyOut, 0),
          }))
          .filter(({ spent }) => spent > 0)
          .toSorted((a, b) => b.spent - a.spent);
        const most = byCategory[0]?.spent ?? 1;
        if (byCategory.length === 0) return <Text c="dimmed">Nothing was spent yet</Text>;
        return (
          <Stack gap="sm">
            {byCategory.slice(0, categories).map(({ category, spent }) => (
              <div key={category}>
                <Group justify="space-between" gap="xs">
                  <Text size="sm">{inWords(category)}</Text>
                  <Amount size="sm" value={spent} currency={currency} />
                </Group>
                <Progress value={(spent / most) * 100} size="sm" aria-label={inWords(category)} />
              </div>
            ))}
          </Stack>
        );
      }}
    </Section>
  );
}

function Section<Report>({
  title,
  report,
  children,
}: {
  title: string;
  report: UseQueryResult<Report>;
  children: (data: Report) => ReactNode;
}) {
  return (
    <Card withBorder component="section" aria-label={title}>
      <Title order={2} size="h5" mb="sm">
        {title}
      </Title>
      {report.error !== null ? (
        <Problem error={report.error} retry={report.refetch} />
      ) : report.data === undefined ? (
        <Skeleton h={220} />
      ) : (
        children(report.data)
      )}
    </Card>
  );
}

function pointsOf(balances: readonly BankBalances[]) {
  const sums = new Map<string, number>();
  for (const { points } of balances)
    for (const { date, balance } of points) sums.set(date, (sums.get(date) ?? 0) + balance);
  return [...sums]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([day, value]) => ({ at: new Date(day), value }));
}

/** At noon, which is the same day in almost every time zone: the report takes the day in the organization's. */
const today = (): Date => new Date(`${new Date().toISOString().slice(0, 10)}T12:00:00Z`);

function monthsAgo(count: number): Date {
  const now = today();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count, 1, 12));
}
