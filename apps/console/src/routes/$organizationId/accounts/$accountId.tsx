import { Button, Card, Group, SegmentedControl, SimpleGrid, Skeleton, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { BankAccountDetails, RecentBankTransaction } from "@purser/client";
import { useQuery } from "@tanstack/react-query";
import { createFileRoute, linkOptions } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Amount } from "../../../components/amount.tsx";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { Empty } from "../../../components/empty.tsx";
import { LinePlot } from "../../../components/line-plot.tsx";
import { ButtonLink } from "../../../components/links.tsx";
import { Page } from "../../../components/page.tsx";
import { PhoneRow } from "../../../components/phone-row.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Rows } from "../../../components/rows.tsx";
import { failedQuery } from "../../../data/failed-query.ts";
import { categoryInWords, formatDay, formatMoney, inWords } from "../../../data/format.ts";
import { allAccounts } from "../../../data/lists.ts";
import { useOrganization, useToday } from "../../../data/organization.ts";
import { queries } from "../../../data/purser.ts";
import { rangeOfSpan, spanOfDays } from "../../../data/report-days.ts";
import { MergeAccounts } from "./-merge.tsx";
import { type Span, defaultSpan, spans } from "./-spans.ts";

export const Route = createFileRoute("/$organizationId/accounts/$accountId")({
  validateSearch: ({ days }: Record<string, unknown>): { days?: Span } =>
    String(days) in spans && String(days) !== defaultSpan ? { days: String(days) as Span } : {},
  component: Account,
});

function Account() {
  const { accountId } = Route.useParams();
  const { organizationId, can } = useOrganization();
  const [isMerging, merging] = useDisclosure();
  const account = useQuery(queries.banking.accounts.get.queryOptions({ teamId: organizationId, accountId }));
  const all = useQuery(allAccounts(organizationId));
  const failed = failedQuery(account);
  if (failed !== undefined)
    return (
      <Page title="Account">
        <Problem error={failed.error} retry={failed.refetch} />
      </Page>
    );
  if (account.data === undefined)
    return (
      <Page title="Account">
        <Rows count={3} height={120} />
      </Page>
    );
  const { accountName, type, connection } = account.data;
  const seeAll = (
    <ButtonLink
      variant="default"
      to="/$organizationId/transactions"
      params={{ organizationId }}
      search={{ accountId }}
    >
      All transactions
    </ButtonLink>
  );
  return (
    <Page
      title={accountName}
      description={`${inWords(type)} account${connection.status === "ACTIVE" ? "" : ", not read any more"}`}
      actions={
        <>
          {can("banking.accounts.merge") && (all.data?.length ?? 0) > 1 && (
            <Button variant="default" onClick={merging.open}>
              Merge
            </Button>
          )}
          {seeAll}
        </>
      }
    >
      <Facts account={account.data} />
      <Balance account={account.data} />
      <Newest account={account.data} />
      <MergeAccounts
        key={accountId}
        opened={isMerging}
        onClose={merging.close}
        accounts={all.data ?? []}
        from={accountId}
      />
    </Page>
  );
}

function Facts({ account }: { account: BankAccountDetails }) {
  const { currency, balance, availableBalance, accountNumber, sortCode, transactionCount } = account;
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }}>
      <Fact name="Balance">
        <Amount value={balance} currency={currency} />
      </Fact>
      <Fact name="Available">
        {availableBalance === null ? "Not known" : <Amount value={availableBalance} currency={currency} />}
      </Fact>
      <Fact name={sortCode === null ? "Account number" : "Sort code and number"}>
        <Text span fz="md" fw={550}>
          {sortCode !== null && `${inPairs(sortCode)} `}
          {accountNumber ?? "Not known"}
        </Text>
      </Fact>
      <Fact name="Booked transactions">{transactionCount.toLocaleString()}</Fact>
    </SimpleGrid>
  );
}

/** With hyphens that do not break a line. */
const inPairs = (sortCode: string): string => sortCode.replace(/(..)(?=.)/g, "$1\u2011");

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <Card withBorder p="md">
    <Text c="dimmed" size="sm">
      {name}
    </Text>
    <Text fz={20} fw={650} component="div">
      {children}
    </Text>
  </Card>
);

function Balance({ account }: { account: BankAccountDetails }) {
  const { organizationId } = useOrganization();
  const { days = defaultSpan } = Route.useSearch();
  const navigate = Route.useNavigate();
  const { id: accountId, currency } = account;
  const range = rangeOfSpan(spanOfDays(useToday(), Number(days)));
  const balances = useQuery({
    ...queries.banking.reports.balances.queryOptions({ teamId: organizationId, accountId, ...range }),
    select: ([first]) =>
      first?.points.map(({ date, balance }) => ({ at: new Date(date), value: balance })) ?? [],
    placeholderData: (before) => before,
  });
  const failed = failedQuery(balances);
  const points = balances.data ?? [];
  const at = (index: number) => formatMoney(points.at(index)?.value ?? 0, currency);
  return (
    <Card withBorder component="section" aria-label="Balance over time">
      <Group justify="space-between" gap="xs" mb="sm">
        <Title order={2} size="h4">
          Balance
        </Title>
        <SegmentedControl
          aria-label="Period"
          data={Object.entries(spans).map(([value, label]) => ({ value, label }))}
          value={days}
          onChange={(chosen) =>
            void navigate({ search: { days: chosen as Span }, replace: true, resetScroll: false })
          }
        />
      </Group>
      {failed !== undefined ? (
        <Problem error={failed.error} retry={failed.refetch} />
      ) : balances.data === undefined ? (
        <Skeleton h={220} />
      ) : (
        <LinePlot
          points={points}
          empty="Earlier balances are not known"
          summary={`The balance went from ${at(0)} to ${at(-1)} within ${spans[days]}`}
          formatValue={(value) => formatMoney(value, currency, { notation: "compact" })}
          formatExact={(value) => formatMoney(value, currency)}
        />
      )}
    </Card>
  );
}

const columns: Column<RecentBankTransaction>[] = [
  { header: "Description", cell: ({ description }) => description, width: "minmax(0, 2fr)" },
  { header: "Date", cell: ({ transactionDate }) => formatDay(transactionDate), width: "120px" },
  {
    header: "Category",
    cell: ({ category }) => (
      <Text span c="dimmed">
        {category === null ? "No category" : categoryInWords(category)}
      </Text>
    ),
  },
  {
    header: "Amount",
    cell: (transaction) => <SignedAmount {...transaction} />,
    width: "140px",
    align: "right",
  },
];

const SignedAmount = ({ type, amount, currency }: RecentBankTransaction) => (
  <Amount signed value={type === "DEBIT" ? -amount : amount} currency={currency} />
);

function Newest({ account: { id: accountId, recentTransactions } }: { account: BankAccountDetails }) {
  const { organizationId } = useOrganization();
  return (
    <section>
      <Title order={2} size="h4" mb="sm">
        Newest transactions
      </Title>
      {recentTransactions.length === 0 ? (
        <Empty title="No transactions yet">They appear here as soon as the bank has booked them.</Empty>
      ) : (
        <DataTable
          label="Newest transactions"
          rows={recentTransactions}
          rowKey={({ id }) => id}
          columns={columns}
          card={(transaction) => (
            <PhoneRow title={transaction.description} beside={<SignedAmount {...transaction} />}>
              {formatDay(transaction.transactionDate)}
              {transaction.category !== null && ` · ${categoryInWords(transaction.category)}`}
            </PhoneRow>
          )}
          link={({ id: selected }) =>
            linkOptions({
              to: "/$organizationId/transactions",
              params: { organizationId },
              search: { accountId, selected },
            })
          }
        />
      )}
    </section>
  );
}
