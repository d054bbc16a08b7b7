import { Anchor, Group, NativeSelect, Progress, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { Amount } from "../../../components/amount.tsx";
import { inWords } from "../../../data/format.ts";
import { useOrganization } from "../../../data/organization.ts";
import { type ReportPeriod, isReportPeriod, addressDay, reportPeriods } from "../../../data/report-days.ts";
import { spendingQuery } from "./queries.ts";
import { Section } from "./plots.tsx";

/** As many as fit beside the plot. The rest is one row. */
const shown = 7;

const periods = Object.entries(reportPeriods).map(([value, { label }]) => ({ value, label }));

/** What was spent by category in a period, the most first. Each category leads to its transactions. */
export function Spending({
  currency,
  period,
  onPeriod,
}: {
  currency: string;
  period: ReportPeriod;
  onPeriod: (period: ReportPeriod) => void;
}) {
  const { organizationId } = useOrganization();
  const range = useMemo(() => reportPeriods[period].days(), [period]);
  const report = useQuery(spendingQuery(organizationId, period));
  return (
    <Section
      title="Spending by category"
      report={report}
      beside={
        <NativeSelect
          size="xs"
          aria-label="Period of the spending"
          data={periods}
          value={period}
          onChange={({ currentTarget: { value } }) => isReportPeriod(value) && onPeriod(value)}
        />
      }
    >
      {(flows) => {
        const byCategory = [
          ...Map.groupBy(
            flows.filter((flow) => flow.currency === currency),
            ({ category }) => category ?? null,
          ),
        ]
          .map(([category, items]) => ({
            category,
            spent: items.reduce((sum, { moneyOut }) => sum + moneyOut, 0),
          }))
          .filter(({ spent }) => spent > 0)
          .toSorted((a, b) => b.spent - a.spent);
        const total = byCategory.reduce((sum, { spent }) => sum + spent, 0);
        const most = byCategory[0]?.spent ?? 1;
        if (total === 0) return <Text c="dimmed">Nothing was spent in this period</Text>;
        const days = { from: addressDay(range.from), to: addressDay(range.to) };
        const isLong = byCategory.length > shown;
        const rest = byCategory.slice(shown - 1).reduce((sum, { spent }) => sum + spent, 0);
        return (
          <Stack gap="sm">
            {byCategory.slice(0, isLong ? shown - 1 : shown).map(({ category, spent }) => (
              <Category
                key={category}
                category={category}
                spent={spent}
                share={spent / most}
                currency={currency}
                days={days}
              />
            ))}
            {isLong && (
              <Sum label={`${byCategory.length - shown + 1} more`} amount={rest} currency={currency} />
            )}
            <Sum label="In all" amount={total} currency={currency} isTotal />
          </Stack>
        );
      }}
    </Section>
  );
}

function Category({
  category,
  spent,
  share,
  currency,
  days,
}: {
  /** Null for transactions without one, which no filter finds. */
  category: string | null;
  spent: number;
  share: number;
  currency: string;
  days: { from: string; to: string };
}) {
  const { organizationId } = useOrganization();
  const name = category === null ? "Uncategorized" : inWords(category);
  return (
    <div>
      <Group justify="space-between" gap="xs">
        {category === null ? (
          <Text size="sm">{name}</Text>
        ) : (
          <Anchor
            size="sm"
            c="inherit"
            renderRoot={(props) => (
              <Link
                {...props}
                to="/$organizationId/transactions"
                params={{ organizationId }}
                search={{ category, type: "DEBIT", ...days }}
              />
            )}
          >
            {name}
          </Anchor>
        )}
        <Amount size="sm" value={spent} currency={currency} />
      </Group>
      <Progress value={share * 100} size="sm" aria-label={name} />
    </div>
  );
}

const Sum = ({
  label,
  amount,
  currency,
  isTotal = false,
}: {
  label: string;
  amount: number;
  currency: string;
  isTotal?: boolean;
}) => (
  <Group justify="space-between" gap="xs">
    <Text size="sm" {...(isTotal ? { fw: 650 } : { c: "dimmed" })}>
      {label}
    </Text>
    <Amount size="sm" value={amount} currency={currency} {...(isTotal && { fw: 650 })} />
  </Group>
);
