import { Group, Text } from "@mantine/core";
import { isProblem } from "@purser/client";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Amount } from "../../../components/amount.tsx";
import { Problem } from "../../../components/problem.tsx";
import { failedQuery } from "../../../data/failed-query.ts";
import { useOrganization, useToday } from "../../../data/organization.ts";
import { queries } from "../../../data/purser.ts";
import { type TransactionSearch, hasReport } from "./-search.ts";

/** What the filtered transactions add up to, by currency, where the service has a report of just these. */
export function TransactionSums({ search }: { search: TransactionSearch }) {
  const { organizationId } = useOrganization();
  const { accountId, from, to, category, type } = search;
  const isReported = hasReport(search, useToday());
  const range = useMemo(() => ({ from: new Date(from ?? 0), to: new Date(to ?? 0) }), [from, to]);
  const report = useQuery({
    ...queries.banking.reports.cashflow.queryOptions({
      teamId: organizationId,
      ...range,
      ...(accountId !== undefined && { accountId }),
      interval: "month",
      groupBy: "category",
    }),
    enabled: isReported,
  });
  if (!isReported) return null;
  // The service has no report of so many days.
  if (isProblem(report.error, "VALIDATION_FAILED")) return null;
  const failed = failedQuery(report);
  if (failed !== undefined) return <Problem error={failed.error} retry={failed.refetch} />;
  if (report.data === undefined) return null;
  const flows = report.data.filter((flow) => category === undefined || flow.category === category);
  const sums = [...Map.groupBy(flows, ({ currency }) => currency)].map(([currency, own]) => ({
    currency,
    moneyOut: own.reduce((sum, { moneyOut }) => sum + moneyOut, 0),
    moneyIn: own.reduce((sum, { moneyIn }) => sum + moneyIn, 0),
  }));
  const parts = sums.flatMap(({ currency, moneyOut, moneyIn }) => [
    ...(type !== "CREDIT" && moneyOut > 0 ? [{ name: "Money out", amount: moneyOut, currency }] : []),
    ...(type !== "DEBIT" && moneyIn > 0 ? [{ name: "Money in", amount: moneyIn, currency }] : []),
  ]);
  if (parts.length === 0) return null;
  return (
    <Group component="section" aria-label="Sums" gap="xl">
      {parts.map(({ name, amount, currency }) => (
        <div key={`${name} ${currency}`}>
          <Text size="xs" c="dimmed">
            {`${name} in ${currency}, booked`}
          </Text>
          <Text fw={650} fz={20}>
            <Amount value={amount} currency={currency} />
          </Text>
        </div>
      ))}
    </Group>
  );
}
