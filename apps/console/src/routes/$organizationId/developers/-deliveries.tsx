import { Group, Select, Stack, Text } from "@mantine/core";
import type { WebhookDelivery, WebhookEndpoint } from "@purser/client";
import { type InfiniteData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { DateTime } from "../../../components/date-time.tsx";
import { Empty } from "../../../components/empty.tsx";
import { PhoneRow } from "../../../components/phone-row.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Rows } from "../../../components/rows.tsx";
import { Status } from "../../../components/status.tsx";
import { failedQuery } from "../../../data/failed-query.ts";
import { inWords } from "../../../data/format.ts";
import { allEndpoints } from "../../../data/lists.ts";
import { useOrganization } from "../../../data/organization.ts";
import { queries } from "../../../data/purser.ts";
import { chosen } from "../../../data/search.ts";
import { DeliveryDetails } from "./-delivery-details.tsx";
import { deliveryStatuses } from "./-delivery-statuses.ts";

interface Filter {
  endpoint?: string | undefined;
  status?: WebhookDelivery["status"] | undefined;
  delivery?: string | undefined;
}

/** No event tells of attempts, so the list is read again while one is due. */
const readAgainMs = 1500;
const soonMs = 60_000;

const isDue = ({ nextAttemptAt }: WebhookDelivery): boolean =>
  nextAttemptAt !== null && nextAttemptAt.getTime() < Date.now() + soonMs;

function readAgain(shown: InfiniteData<{ items: WebhookDelivery[] }> | undefined): number | false {
  return shown?.pages.some(({ items }) => items.some(isDue)) === true && readAgainMs;
}

export function Deliveries({ onFilter, ...filter }: Filter & { onFilter: (filter: Filter) => void }) {
  const { organizationId } = useOrganization();
  const endpoints = useQuery(allEndpoints(organizationId));
  const urlOf = (id: string) =>
    endpoints.data?.find((endpoint) => endpoint.id === id)?.url ?? "A deleted endpoint";
  const list = useDeliveryList(filter);
  const { fetchNextPage, isFetching } = list;
  const more = useCallback(() => isFetching || fetchNextPage(), [isFetching, fetchNextPage]);
  const columns = columnsOf(urlOf);
  const rows = list.data?.pages.flatMap(({ items }) => items);
  const opened = useOpenedDelivery(filter.delivery);
  const failed = failedQuery(list, endpoints);
  return (
    <Stack>
      <DeliveryFilters filter={filter} endpoints={endpoints.data ?? []} onFilter={onFilter} />
      {failed !== undefined ? (
        <Problem error={failed.error} retry={failed.refetch} />
      ) : rows === undefined || endpoints.data === undefined ? (
        <Rows />
      ) : rows.length === 0 ? (
        <Empty title="Nothing was sent">
          {filter.endpoint === undefined && filter.status === undefined
            ? "Add an endpoint, or send it a test event. Each event that goes there appears here with its attempts."
            : "No delivery fits these filters."}
        </Empty>
      ) : (
        <DataTable
          label="Deliveries"
          rows={rows}
          rowKey={({ id }) => id}
          columns={columns}
          card={({ eventType, endpointId, status, createdAt, attempts }) => (
            <PhoneRow title={<EventType>{eventType}</EventType>} beside={<Status status={status} />}>
              <Text inherit truncate>
                {urlOf(endpointId)}
              </Text>
              <DateTime at={createdAt} />
              {attempts.length > 1 && ` · ${attempts.length} attempts`}
            </PhoneRow>
          )}
          onOpen={({ id }) => onFilter({ ...filter, delivery: id })}
          selectedKey={filter.delivery}
          more={more}
          hasMore={list.hasNextPage}
        />
      )}
      <DeliveryDetails
        id={filter.delivery}
        delivery={opened.data ?? rows?.find(({ id }) => id === filter.delivery)}
        failed={opened.failed}
        urlOf={urlOf}
        onClose={() => onFilter({ ...filter, delivery: undefined })}
      />
    </Stack>
  );
}

/** The deliveries that fit a filter, page by page, the newest first. */
function useDeliveryList({ endpoint, status }: Filter) {
  const { organizationId } = useOrganization();
  return useInfiniteQuery({
    ...queries.webhookEndpoints.deliveries.list.infiniteQueryOptions({
      organizationId,
      limit: 50,
      ...chosen({ endpointId: endpoint, status }),
    }),
    staleTime: 0,
    refetchInterval: ({ state }) => readAgain(state.data),
  });
}

/** The delivery that is open. The list may not have reached it, and its filter may no longer fit it after an attempt. */
function useOpenedDelivery(id: string | undefined) {
  const opened = useQuery({
    ...queries.webhookEndpoints.deliveries.get.queryOptions({ id: id ?? "" }),
    enabled: id !== undefined,
    staleTime: 0,
    refetchInterval: ({ state }) => state.data !== undefined && isDue(state.data) && readAgainMs,
  });
  return { data: opened.data, failed: failedQuery(opened) };
}

const EventType = ({ children }: { children: string }) => (
  <Text size="sm" fw={550} truncate>
    {children}
  </Text>
);

const columnsOf = (urlOf: (endpointId: string) => string): Column<WebhookDelivery>[] => [
  {
    header: "Event",
    cell: ({ eventType }) => <EventType>{eventType}</EventType>,
  },
  {
    header: "Endpoint",
    cell: ({ endpointId }) => (
      <Text size="sm" truncate>
        {urlOf(endpointId)}
      </Text>
    ),
  },
  { header: "Status", width: "120px", cell: ({ status }) => <Status status={status} /> },
  { header: "Attempts", width: "110px", cell: ({ attempts }) => attempts.length },
  { header: "Created", width: "220px", cell: ({ createdAt }) => <DateTime at={createdAt} /> },
];

function DeliveryFilters({
  filter,
  endpoints,
  onFilter,
}: {
  filter: Filter;
  endpoints: readonly WebhookEndpoint[];
  onFilter: (filter: Filter) => void;
}) {
  return (
    <Group align="flex-end">
      <Select
        label="Endpoint"
        w={{ base: "100%", xs: 320 }}
        clearable
        placeholder="All endpoints"
        data={endpoints.map(({ id, url }) => ({ value: id, label: url }))}
        value={filter.endpoint ?? null}
        onChange={(endpoint) => onFilter({ ...filter, endpoint: endpoint ?? undefined })}
      />
      <Select
        label="Status"
        w={{ base: "100%", xs: 160 }}
        clearable
        placeholder="All"
        data={deliveryStatuses.map((value) => ({ value, label: inWords(value) }))}
        value={filter.status ?? null}
        onChange={(status) => onFilter({ ...filter, status: status ?? undefined })}
      />
    </Group>
  );
}
