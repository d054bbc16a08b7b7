import { Card, Group, Skeleton, Text, Title } from "@mantine/core";
import type { BankAccount } from "@purser/client";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { BarPlot } from "../../../components/bar-plot.tsx";
import { LinePlot } from "../../../components/line-plot.tsx";
import { Problem } from "../../../components/problem.tsx";
import { failedQuery } from "../../../data/failed-query.ts";
import { formatMoney, formatMonth } from "../../../data/format.ts";
import { useOrganization, useToday } from "../../../data/organization.ts";
import { balanceByDay, withoutUnknown } from "./balances.ts";
import { balanceDays, balancesQuery, cashflowQuery } from "./queries.ts";

/** The balance of all connected accounts in a currency, day by day. */
export function BalancePlot({ currency, accounts }: { currency: string; accounts: readonly BankAccount[] }) {
  const { organizationId } = useOrganization();
  const report = useQuery(balancesQuery(organizationId, useToday()));
  const exact = (value: number) => formatMoney(value, currency);
  return (
    <Section title={`Balance in ${currency}, last ${balanceDays} days`} report={report}>
      {(balances) => {
        const { points, unknown } = balanceByDay(balances, accounts, currency);
        const without = withoutUnknown(unknown);
        const [first, last] = [points[0]?.value ?? 0, points.at(-1)?.value ?? 0];
        return (
          <>
            {without !== null && points.length > 0 && (
              <Text size="xs" c="dimmed">
                {without}
              </Text>
            )}
            <LinePlot
              points={points}
              empty={without === null ? "No bank is connected" : "Earlier balances are not known"}
              summary={`The balance in ${currency} went from ${exact(first)} to ${exact(last)} in ${balanceDays} days${without === null ? "" : `. ${without}`}`}
              formatValue={(value) => formatMoney(value, currency, { notation: "compact" })}
              formatExact={exact}
            />
          </>
        );
      }}
    </Section>
  );
}

/** What came in and went out, month by month. */
export function CashflowPlot({ currency }: { currency: string }) {
  const { organizationId } = useOrganization();
  const report = useQuery(cashflowQuery(organizationId, useToday()));
  return (
    <Section title={`Money in and out, ${currency}`} report={report}>
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

/** A card with a title, and what a report shows once it is there. */
export function Section<Report>({
  title,
  beside,
  report,
  children,
}: {
  title: string;
  /** A control at the right of the title. */
  beside?: ReactNode;
  report: UseQueryResult<Report>;
  children: (data: Report) => ReactNode;
}) {
  const failed = failedQuery(report);
  return (
    <Card withBorder component="section" aria-label={title}>
      <Group justify="space-between" align="center" mb="sm" gap="xs">
        <Title order={2} size="h4">
          {title}
        </Title>
        {beside}
      </Group>
      {failed !== undefined ? (
        <Problem error={failed.error} retry={failed.refetch} />
      ) : report.data === undefined ? (
        <Skeleton h={220} />
      ) : (
        children(report.data)
      )}
    </Card>
  );
}
