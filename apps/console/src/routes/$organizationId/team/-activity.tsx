import { Select, Stack } from "@mantine/core";
import type { Event } from "@purser/client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { DateTime } from "../../../components/date-time.tsx";
import { Empty } from "../../../components/empty.tsx";
import { PhoneRow } from "../../../components/phone-row.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Rows } from "../../../components/rows.tsx";
import { type EventArea, eventAreas } from "../../../data/event-areas.ts";
import { typesOfArea } from "../../../data/event-labels.ts";
import { failedQuery } from "../../../data/failed-query.ts";
import { useOrganization } from "../../../data/organization.ts";
import { queries } from "../../../data/purser.ts";
import { readOneOf } from "../../../data/search.ts";
import { ActivityEntry } from "./-activity-entry.tsx";

/** What happened in the organization, in sentences, newest first. It grows as things happen. */
export function Activity({
  area: asked,
  onArea,
}: {
  area: string | undefined;
  onArea: (area: string | undefined) => void;
}) {
  const area = readOneOf(Object.keys(eventAreas) as EventArea[], asked);
  const { organizationId } = useOrganization();
  const events = useInfiniteQuery(
    queries.events.list.infiniteQueryOptions({
      organizationId,
      limit: 100,
      ...(area !== undefined && { types: typesOfArea(area) }),
    }),
  );
  const { fetchNextPage, isFetching } = events;
  const more = useCallback(() => isFetching || fetchNextPage(), [isFetching, fetchNextPage]);
  const columns: Column<Event>[] = [
    {
      header: "What happened",
      cell: (event) => <ActivityEntry event={event} />,
    },
    { header: "When", width: "220px", cell: ({ createdAt }) => <DateTime at={createdAt} /> },
  ];
  const rows = events.data?.pages.flatMap(({ items }) => items);
  const failed = failedQuery(events);
  return (
    <Stack>
      <Select
        label="About"
        w={260}
        maw="100%"
        clearable
        placeholder="Everything"
        data={Object.entries(eventAreas).map(([value, { label }]) => ({ value, label }))}
        value={area ?? null}
        onChange={(value) => onArea(value ?? undefined)}
      />
      {failed !== undefined ? (
        <Problem error={failed.error} retry={failed.refetch} />
      ) : rows === undefined ? (
        <Rows />
      ) : rows.length === 0 && !events.hasNextPage ? (
        <Empty title="Nothing happened yet">
          Changes to people, banks, cards and the subscription appear here as they happen.
        </Empty>
      ) : (
        <DataTable
          label="Activity"
          rows={rows}
          rowKey={({ id }) => id}
          columns={columns}
          card={(event) => (
            <PhoneRow title={<ActivityEntry event={event} />}>
              <DateTime at={event.createdAt} />
            </PhoneRow>
          )}
          more={more}
          hasMore={events.hasNextPage}
        />
      )}
    </Stack>
  );
}
