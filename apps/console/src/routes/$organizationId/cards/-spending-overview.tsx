import { Card, Group, Progress, Select, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import type { CardSpendingItem } from "@purser/client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Amount } from "../../../components/amount.tsx";
import { BarPlot } from "../../../components/bar-plot.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Rows } from "../../../components/rows.tsx";
import { failedQuery } from "../../../data/failed-query.ts";
import { formatMoney, formatMonth } from "../../../data/format.ts";
import { useCategoryWords } from "../../../data/merchant-categories.ts";
import { useOrganization, useToday } from "../../../data/organization.ts";
import { queries } from "../../../data/purser.ts";
import { monthsUntil } from "../../../data/zoned-day.ts";
import { spentByMonth } from "./-spent-by-month.ts";

const months = 6;
const categoriesShown = 7;

/** What all cards have spent, by month and by category. Members see their own cards. */
export function SpendingOverview() {
  const { organizationId } = useOrganization();
  const [chosen, setChosen] = useState<string | null>(null);
  const span = monthsUntil(useToday(), months);
  const range = { organizationId, from: new Date(span[0]!.first), to: new Date(span.at(-1)!.last) };
  const byDay = useQuery(queries.cards.reports.spending.queryOptions({ ...range, groupBy: "day" }));
  const byCategory = useQuery(queries.cards.reports.spending.queryOptions({ ...range, groupBy: "category" }));
  const failed = failedQuery(byDay, byCategory);
  if (failed !== undefined) return <Problem error={failed.error} retry={failed.refetch} />;
  if (byDay.data === undefined || byCategory.data === undefined) return <Rows count={2} height={240} />;
  const currencies = [...new Set(byDay.data.map(({ currency }) => currency))];
  const currency = chosen ?? currencies[0];
  if (currency === undefined) return null;
  const inCurrency = (items: readonly CardSpendingItem[]) =>
    items.filter((item) => item.currency === currency);
  return (
    <Stack component="section" aria-label="Spending">
      <Group justify="space-between">
        <Title order={2} size="h4">
          Spending, last {months} months
        </Title>
        {currencies.length > 1 && (
          <Select
            aria-label="Currency"
            w={110}
            data={currencies}
            value={currency}
            allowDeselect={false}
            onChange={setChosen}
          />
        )}
      </Group>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Card withBorder>
          <Title order={3} size="h5" mb="sm">
            By month
          </Title>
          <MonthPlot span={span} items={inCurrency(byDay.data)} currency={currency} />
        </Card>
        <Card withBorder>
          <Title order={3} size="h5" mb="sm">
            By category
          </Title>
          <Categories items={inCurrency(byCategory.data)} currency={currency} />
        </Card>
      </SimpleGrid>
    </Stack>
  );
}

function MonthPlot({
  span,
  items,
  currency,
}: {
  span: readonly { first: string }[];
  items: readonly CardSpendingItem[];
  currency: string;
}) {
  const spent = spentByMonth(items, span);
  if (spent === null)
    return (
      <Text size="sm" c="dimmed">
        Nothing spent in the last {months} months
      </Text>
    );
  const groups = span.map(({ first }, index) => ({ label: formatMonth(first), values: [spent[index] ?? 0] }));
  const total = spent.reduce((sum, amount) => sum + amount, 0);
  return (
    <BarPlot
      groups={groups}
      series={["Spent"]}
      summary={`Cards spent ${formatMoney(total, currency)} in ${months} months`}
      formatValue={(value) => formatMoney(value, currency, { notation: "compact" })}
      formatExact={(value) => formatMoney(value, currency)}
    />
  );
}

function Categories({ items, currency }: { items: readonly CardSpendingItem[]; currency: string }) {
  const categoryInWords = useCategoryWords();
  // Networks report a category by its name or by one of its codes, which all have the same words.
  const byWords = Map.groupBy(items, ({ key }) => categoryInWords(key));
  const sorted = [...byWords]
    .map(([words, same]) => ({ words, approved: same.reduce((sum, { approved }) => sum + approved, 0) }))
    .filter(({ approved }) => approved > 0)
    .toSorted((a, b) => b.approved - a.approved);
  const most = sorted[0]?.approved ?? 1;
  if (sorted.length === 0) return <Text c="dimmed">Nothing spent yet</Text>;
  return (
    <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: "none" }}>
      {sorted.slice(0, categoriesShown).map(({ words, approved }) => (
        <li key={words}>
          <Group justify="space-between" wrap="nowrap" gap="xs">
            <Text size="sm" truncate>
              {words}
            </Text>
            <Text size="sm">
              <Amount value={approved} currency={currency} />
            </Text>
          </Group>
          <Progress value={(approved / most) * 100} size="sm" color="var(--plot-first)" aria-hidden />
        </li>
      ))}
    </Stack>
  );
}
