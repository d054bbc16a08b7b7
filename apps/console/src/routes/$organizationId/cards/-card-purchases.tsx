import { Group, Stack, Text, Title } from "@mantine/core";
import type { CardListItem, CardTransaction } from "@purser/client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Amount } from "../../../components/amount.tsx";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { DateTime } from "../../../components/date-time.tsx";
import { Empty } from "../../../components/empty.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Rows } from "../../../components/rows.tsx";
import { Status } from "../../../components/status.tsx";
import { reasonInWords } from "../../../data/card-labels.ts";
import { failedQuery } from "../../../data/failed-query.ts";
import { useCategoryWords } from "../../../data/merchant-categories.ts";
import { useOrganization } from "../../../data/organization.ts";
import { queries } from "../../../data/purser.ts";

/** The transactions of a card, newest first. Each opens with its explanation. */
export function CardPurchases({
  card,
  onOpen,
  selected,
}: {
  card: CardListItem;
  onOpen: (transaction: CardTransaction) => void;
  selected: string | undefined;
}) {
  const { organizationId } = useOrganization();
  const list = useInfiniteQuery(
    queries.cards.transactions.list.infiniteQueryOptions({ organizationId, cardId: card.id, limit: 100 }),
  );
  const rows = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const failed = failedQuery(list);
  return (
    <Stack component="section" aria-label="Transactions" gap="sm">
      <Title order={2} size="h4">
        Transactions
      </Title>
      {list.isPending ? (
        <Rows />
      ) : failed !== undefined ? (
        <Problem error={failed.error} retry={failed.refetch} />
      ) : rows.length === 0 ? (
        <Empty title="No transactions yet">Purchases with this card appear here as they happen.</Empty>
      ) : (
        <DataTable
          label="Transactions of the card"
          rows={rows}
          rowKey={({ id }) => id}
          columns={columns}
          card={(transaction) => <PhoneRow transaction={transaction} />}
          onOpen={onOpen}
          selectedKey={selected}
          hasMore={list.hasNextPage}
          more={() => !list.isFetching && void list.fetchNextPage()}
        />
      )}
    </Stack>
  );
}

const columns: Column<CardTransaction>[] = [
  {
    header: "Merchant",
    cell: ({ merchantName }) => (
      <Text truncate fw={550}>
        {merchantName}
      </Text>
    ),
  },
  {
    header: "Category",
    cell: ({ merchantCategory }) => <Category category={merchantCategory} />,
  },
  { header: "Time", width: "190px", cell: ({ createdAt }) => <Time at={createdAt} /> },
  { header: "Status", width: "240px", cell: (transaction) => <Outcome transaction={transaction} /> },
  {
    header: "Amount",
    width: "130px",
    align: "right",
    cell: ({ amount, currency }) => <Amount value={amount} currency={currency} />,
  },
];

function Category({ category }: { category: string | null }) {
  const categoryInWords = useCategoryWords();
  return (
    <Text size="sm" truncate>
      {categoryInWords(category)}
    </Text>
  );
}

function Time({ at }: { at: Date }) {
  return (
    <Text size="xs" c="dimmed" component="div" truncate>
      <DateTime at={at} />
    </Text>
  );
}

function Outcome({ transaction: { status, declineReason } }: { transaction: CardTransaction }) {
  return (
    <Group gap={6} wrap="nowrap" miw={0}>
      <Status status={status} style={{ flexShrink: 0 }} />
      {declineReason !== null && (
        <Text size="xs" c="dimmed" truncate>
          {reasonInWords(declineReason).title}
        </Text>
      )}
    </Group>
  );
}

function PhoneRow({ transaction }: { transaction: CardTransaction }) {
  return (
    <Stack gap={4} py={2}>
      <Group justify="space-between" wrap="nowrap">
        <Text fw={550} truncate>
          {transaction.merchantName}
        </Text>
        <Amount value={transaction.amount} currency={transaction.currency} />
      </Group>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="xs" c="dimmed">
          <DateTime at={transaction.createdAt} dateOnly />
        </Text>
        <Outcome transaction={transaction} />
      </Group>
    </Stack>
  );
}
