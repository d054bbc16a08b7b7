import { Badge, Box, Group, Loader, Stack, Text, TextInput, Title } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import type { BankTransaction } from "@purser/client";
import { IconSearch } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import { formatDay, formatMoney } from "../../lib/format.ts";
import { queries } from "../../lib/purser.ts";

interface Search {
  query?: string;
}

export const Route = createFileRoute("/$organizationId/transactions")({
  validateSearch: ({ query }: Record<string, unknown>): Search =>
    typeof query === "string" && query !== "" ? { query } : {},
  component: Transactions,
});

const rowHeight = 56;
/** How many rows before the end the next page is read. */
const ahead = 100;

function Transactions() {
  const { organizationId } = Route.useParams();
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const find = useDebouncedCallback((query: string) => {
    void navigate({ search: query === "" ? {} : { query }, replace: true });
  }, 250);
  const list = useInfiniteQuery(
    queries.banking.transactions.list.infiniteQueryOptions({
      teamId: organizationId,
      status: "ALL",
      limit: 200,
      ...search,
    }),
  );
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Stack h="calc(100dvh - 56px - 2 * var(--mantine-spacing-md))">
      <Group justify="space-between">
        <Title order={1}>Transactions</Title>
        <TextInput
          aria-label="Search"
          placeholder="Search"
          leftSection={<IconSearch size={16} />}
          defaultValue={search.query ?? ""}
          onChange={(change) => find(change.currentTarget.value)}
        />
      </Group>
      {list.isPending ? (
        <Loader />
      ) : (
        <Rows items={items} more={() => list.hasNextPage && !list.isFetching && void list.fetchNextPage()} />
      )}
    </Stack>
  );
}

/** Shows only the rows in view, so that a million of them scroll like ten. */
function Rows({ items, more }: { items: readonly BankTransaction[]; more: () => unknown }) {
  const frame = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= items.length - ahead) more();
  }, [last, items.length, more]);
  return (
    <Box ref={frame} flex={1} mih={0} role="table" aria-label="Transactions" style={{ overflow: "auto" }}>
      <div role="rowgroup" style={{ height: rows.getTotalSize(), position: "relative" }}>
        {shown.map(({ index, start }) => (
          <Row key={items[index]!.id} item={items[index]!} top={start} />
        ))}
      </div>
    </Box>
  );
}

function Row({ item, top }: { item: BankTransaction; top: number }) {
  return (
    <Group
      role="row"
      h={rowHeight}
      wrap="nowrap"
      justify="space-between"
      pos="absolute"
      left={0}
      right={0}
      style={{
        transform: `translateY(${top}px)`,
        borderBottom: "1px solid var(--mantine-color-default-border)",
      }}
    >
      <Box role="cell" miw={0}>
        <Text truncate>{item.merchantName ?? item.description}</Text>
        <Text c="dimmed" size="xs">
          {formatDay(item.transactionDate)} · {item.account.accountName}
        </Text>
      </Box>
      <Group role="cell" wrap="nowrap" gap="xs">
        {item.status === "PENDING" && <Badge variant="light">pending</Badge>}
        <Text ff="monospace">{formatMoney(item.amount, item.currency)}</Text>
      </Group>
    </Group>
  );
}
