import { Anchor, Group, NativeSelect, Progress, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Amount } from "../../../components/amount.tsx";
import { TextLink } from "../../../components/links.tsx";
import { categoryInWords, formatDays } from "../../../data/format.ts";
import { useOrganization, useToday } from "../../../data/organization.ts";
import { type ReportPeriod, isReportPeriod, rangeOfSpan, reportPeriods } from "../../../data/report-days.ts";
import { spendingQuery } from "./queries.ts";
import { Section } from "./plots.tsx";
import type { CurrencyAmount } from "@purser/client";
import { type Spent, spendingByCategory, sumOf } from "./spent.ts";

/** As many as fit beside the plot. The rest is one row. */
const shown = 7;

const periods = Object.entries(reportPeriods).map(([value, { label }]) => ({ value, label }));

/**
 * What was spent by category in a period, the most first. The list of transactions has no filter for currencies, so each
 * category shows all of its currencies, as the list that it leads to does.
 */
export function Spending({
  currency,
  period,
  onPeriod,
}: {
  /** The currency of the bars. */
  currency: string;
  period: ReportPeriod;
  onPeriod: (period: ReportPeriod) => void;
}) {
  const { organizationId } = useOrganization();
  const today = useToday();
  const days = reportPeriods[period].days(today);
  const range = rangeOfSpan(days);
  const report = useQuery(spendingQuery(organizationId, period, today));
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
        const categories = spendingByCategory(flows, currency);
        const isLong = categories.length > shown;
        const total = sumOf(categories, currency);
        const rest = categories.slice(shown - 1);
        return (
          <Stack gap="sm">
            <Source days={formatDays(range.from, range.to)} bars={total.length > 1 ? currency : null} />
            {categories.length === 0 && <Text c="dimmed">Nothing was spent in this period</Text>}
            {categories.slice(0, isLong ? shown - 1 : shown).map((spent) => (
              <Category key={String(spent.category)} {...spent} days={days} />
            ))}
            {isLong && <Sum label={`${rest.length} more`} amounts={sumOf(rest, currency)} />}
            {categories.length > 0 && <Sum label="Total" amounts={total} isTotal />}
          </Stack>
        );
      }}
    </Section>
  );
}

/** Which money this is, and which it is not. */
function Source({ days, bars }: { days: string; bars: string | null }) {
  const { organizationId } = useOrganization();
  return (
    <Text size="xs" c="dimmed">
      {`Booked bank transactions, ${days}. `}
      {bars !== null && `The bars compare ${bars}. `}
      Card purchases count once the bank books them. See all{" "}
      <TextLink inherit underline="always" to="/$organizationId/cards" params={{ organizationId }}>
        card spending
      </TextLink>
    </Text>
  );
}

function Category({ category, amounts, share, days }: Spent & { days: { from: string; to: string } }) {
  const { organizationId } = useOrganization();
  const name = category === null ? "No category" : categoryInWords(category);
  return (
    <div>
      <Group justify="space-between" gap="xs">
        {category === null ? (
          // No filter finds them.
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
                search={{ category, type: "DEBIT", status: "POSTED", ...days }}
              />
            )}
          >
            {name}
          </Anchor>
        )}
        <Amounts amounts={amounts} />
      </Group>
      <Progress value={share * 100} size="sm" color="var(--plot-first)" aria-label={name} />
    </div>
  );
}

function Sum({
  label,
  amounts,
  isTotal = false,
}: {
  label: string;
  amounts: readonly CurrencyAmount[];
  isTotal?: boolean;
}) {
  return (
    <Group justify="space-between" gap="xs">
      <Text size="sm" {...(isTotal ? { fw: 650 } : { c: "dimmed" })}>
        {label}
      </Text>
      <Amounts amounts={amounts} isBold={isTotal} />
    </Group>
  );
}

const Amounts = ({ amounts, isBold = false }: { amounts: readonly CurrencyAmount[]; isBold?: boolean }) => (
  <Text size="sm" component="div" {...(isBold && { fw: 650 })}>
    {amounts.map(({ amount, currency }, index) => (
      <span key={currency}>
        {index > 0 && " + "}
        <Amount value={amount} currency={currency} />
      </span>
    ))}
  </Text>
);
