import { Text } from "@mantine/core";
import type { CardListItem } from "@purser/client";
import { useQueries } from "@tanstack/react-query";
import { BarPlot } from "../../../components/bar-plot.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Rows } from "../../../components/rows.tsx";
import { failedQuery } from "../../../data/failed-query.ts";
import { formatMoney, formatMonth } from "../../../data/format.ts";
import { useOrganization, useToday } from "../../../data/organization.ts";
import { queries } from "../../../data/purser.ts";
import { monthsUntil } from "../../../data/zoned-day.ts";

const months = 6;

/** What one card has spent, month by month. The client sends the reports of all months in one request. */
export function CardSpendingPlot({ card }: { card: CardListItem }) {
  const { organizationId } = useOrganization();
  const span = monthsUntil(useToday(), months);
  const reports = useQueries({
    queries: span.map(({ first, last }) =>
      queries.cards.reports.spending.queryOptions({
        organizationId,
        from: new Date(first),
        to: new Date(last),
        groupBy: "card",
      }),
    ),
  });
  const failed = failedQuery(...reports);
  if (failed !== undefined) return <Problem error={failed.error} retry={failed.refetch} />;
  if (reports.some(({ isPending }) => isPending)) return <Rows count={1} height={220} />;
  const groups = reports.map(({ data }, index) => {
    const own = data?.find(({ key, currency }) => key === card.id && currency === card.currency);
    return { label: formatMonth(span[index]!.first), values: [own?.approved ?? 0] };
  });
  const total = groups.reduce((sum, { values: [value = 0] }) => sum + value, 0);
  // An axis would have nothing to measure.
  if (groups.every(({ values: [value = 0] }) => value === 0))
    return (
      <Text size="sm" c="dimmed">
        Nothing spent in the last {months} months
      </Text>
    );
  return (
    <BarPlot
      groups={groups}
      series={["Spent"]}
      summary={`The card spent ${formatMoney(total, card.currency)} in ${months} months`}
      formatValue={(value) => formatMoney(value, card.currency, { notation: "compact" })}
      formatExact={(value) => formatMoney(value, card.currency)}
    />
  );
}
