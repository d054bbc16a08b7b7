import { Group, Stack, Text } from "@mantine/core";
import { type CardListItem, type CardTransaction, isRefused } from "@purser/client";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { createFileRoute, linkOptions } from "@tanstack/react-router";
import { useEffect } from "react";
import { Amount } from "../../../components/amount.tsx";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { DateTime } from "../../../components/date-time.tsx";
import { Empty } from "../../../components/empty.tsx";
import { Page } from "../../../components/page.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Rows } from "../../../components/rows.tsx";
import { reasonInWords } from "../../../data/card-labels.ts";
import { failedQuery } from "../../../data/failed-query.ts";
import { lastDigits } from "../../../data/format.ts";
import { allCards } from "../../../data/lists.ts";
import { useOrganization } from "../../../data/organization.ts";
import { queries } from "../../../data/purser.ts";
import { cardAndHolder, cardName, holderName } from "./-card-parts.tsx";

export const Route = createFileRoute("/$organizationId/cards/declined")({ component: DeclinedPurchases });

/** A declined purchase with its card. */
interface DeclinedRow extends CardTransaction {
  card: CardListItem | undefined;
}

/** Every purchase that was declined, with any card. */
function DeclinedPurchases() {
  const { organizationId } = useOrganization();
  const cards = useQuery(allCards(organizationId));
  const list = useInfiniteQuery(
    queries.cards.transactions.list.infiniteQueryOptions({ organizationId, status: "DECLINED", limit: 100 }),
  );
  const failed = failedQuery(list, cards);
  const byId = new Map(cards.data?.map((card) => [card.id, card]));
  const rows =
    list.data?.pages.flatMap(({ items }) =>
      items
        .filter(isRefused)
        .map((purchase): DeclinedRow => ({ ...purchase, card: byId.get(purchase.cardId) })),
    ) ?? [];
  const { hasNextPage, isFetching, fetchNextPage } = list;
  const more = () => !isFetching && void fetchNextPage();
  // A page may have nothing but holds that ended. The table would not ask for the next one.
  const isSearching = rows.length === 0 && hasNextPage && failed === undefined;
  useEffect(() => {
    if (isSearching && !isFetching) void fetchNextPage();
  }, [isSearching, isFetching, fetchNextPage]);
  return (
    <Page
      title="Declined purchases"
      description="Open one to see why it was declined, and how to let it pass."
    >
      {list.isPending || cards.isPending || isSearching ? (
        <Rows />
      ) : failed !== undefined ? (
        <Problem error={failed.error} retry={failed.refetch} />
      ) : rows.length === 0 ? (
        <Empty title="Nothing was declined">Purchases that a card or its policy declines appear here.</Empty>
      ) : (
        <DataTable
          label="Declined purchases"
          rows={rows}
          rowKey={({ id }) => id}
          columns={columns}
          card={(row) => <PhoneRow row={row} />}
          rowHeight={56}
          link={({ id, cardId }) =>
            linkOptions({
              to: "/$organizationId/cards/$cardId",
              params: { organizationId, cardId },
              search: { purchase: id },
            })
          }
          hasMore={hasNextPage}
          more={more}
        />
      )}
    </Page>
  );
}

const reasonOf = ({ declineReason }: CardTransaction): string =>
  declineReason === null ? "" : reasonInWords(declineReason).title;

const columns: Column<DeclinedRow>[] = [
  {
    header: "Merchant",
    cell: ({ merchantName }) => (
      <Text truncate fw={550}>
        {merchantName}
      </Text>
    ),
  },
  {
    header: "Card",
    cell: ({ card }) =>
      card !== undefined && (
        <>
          <Text truncate>
            {cardName(card)} {lastDigits(card.lastFour)}
          </Text>
          <Text size="xs" c="dimmed" truncate>
            {holderName(card)}
          </Text>
        </>
      ),
  },
  { header: "Reason", cell: (row) => <Text truncate>{reasonOf(row)}</Text> },
  {
    header: "Time",
    width: "190px",
    cell: ({ createdAt }) => (
      <Text size="xs" c="dimmed" component="div" truncate>
        <DateTime at={createdAt} />
      </Text>
    ),
  },
  {
    header: "Amount",
    width: "130px",
    align: "right",
    cell: ({ amount, currency }) => <Amount value={amount} currency={currency} />,
  },
];

function PhoneRow({ row }: { row: DeclinedRow }) {
  return (
    <Stack gap={2} py={2}>
      <Group justify="space-between" wrap="nowrap">
        <Text fw={550} truncate>
          {row.merchantName}
        </Text>
        <Amount value={row.amount} currency={row.currency} />
      </Group>
      {row.card !== undefined && (
        <Text size="xs" truncate>
          {cardAndHolder(row.card)}
        </Text>
      )}
      <Text size="xs" c="dimmed">
        {reasonOf(row)} · <DateTime at={row.createdAt} dateOnly />
      </Text>
    </Stack>
  );
}
