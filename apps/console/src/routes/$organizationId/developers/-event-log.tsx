import { Button, Code, Drawer, MultiSelect, Stack, Text } from "@mantine/core";
import type { Event } from "@purser/client";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { Copyable } from "../../../components/secret.tsx";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { DateTime } from "../../../components/date-time.tsx";
import { Empty } from "../../../components/empty.tsx";
import { PhoneRow } from "../../../components/phone-row.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Rows } from "../../../components/rows.tsx";
import { useEventSentence } from "../../../data/event-sentence.ts";
import { knownEventTypes } from "../../../data/event-labels.ts";
import { failedQuery } from "../../../data/failed-query.ts";
import { useOrganization } from "../../../data/organization.ts";
import { queries } from "../../../data/purser.ts";
import { someOf } from "../../../data/search.ts";
import { eventTypeChoices } from "./-endpoint-dialog.tsx";

interface Filter {
  types?: string[] | undefined;
  event?: string | undefined;
}

const EventType = ({ children }: { children: string }) => (
  <Text size="sm" fw={550} truncate>
    {children}
  </Text>
);

const SubjectId = ({ children }: { children: string }) => (
  <Text size="xs" c="dimmed" ff="monospace" truncate>
    {children}
  </Text>
);

const columns: Column<Event>[] = [
  {
    header: "Type",
    width: "minmax(0, 2fr)",
    cell: ({ type }) => <EventType>{type}</EventType>,
  },
  {
    header: "Subject",
    width: "minmax(0, 2fr)",
    cell: ({ subject }) => <SubjectId>{subject.id}</SubjectId>,
  },
  {
    header: "By",
    width: "minmax(0, 1fr)",
    cell: ({ actor }) => actor?.name ?? "Purser",
  },
  { header: "When", width: "220px", cell: ({ createdAt }) => <DateTime at={createdAt} /> },
];

/** The events as programs get them, newest first. New ones appear as they happen. */
export function EventLog({ onFilter, ...asked }: Filter & { onFilter: (filter: Filter) => void }) {
  const { organizationId } = useOrganization();
  // An old link may name a type that is gone.
  const filter = { ...asked, types: someOf(knownEventTypes, asked.types) };
  const list = useInfiniteQuery(
    queries.events.list.infiniteQueryOptions({
      organizationId,
      limit: 100,
      ...(filter.types !== undefined && { types: filter.types }),
    }),
  );
  const { fetchNextPage, isFetching } = list;
  const more = useCallback(() => isFetching || fetchNextPage(), [isFetching, fetchNextPage]);
  const rows = list.data?.pages.flatMap(({ items }) => items);
  const failed = failedQuery(list);
  return (
    <Stack>
      <MultiSelect
        label="Type"
        placeholder={filter.types === undefined ? "All events" : ""}
        data={eventTypeChoices}
        searchable
        clearable
        hidePickedOptions
        nothingFoundMessage="No such event"
        maw={720}
        value={filter.types ?? []}
        onChange={(types) => onFilter(types.length === 0 ? {} : { types })}
      />
      {failed !== undefined ? (
        <Problem error={failed.error} retry={failed.refetch} />
      ) : rows === undefined ? (
        <Rows />
      ) : rows.length === 0 && !list.hasNextPage ? (
        <Empty
          title="No events"
          action={
            filter.types !== undefined && (
              <Button variant="default" onClick={() => onFilter({})}>
                Show all types
              </Button>
            )
          }
        >
          What happens in the organization appears here at once.
        </Empty>
      ) : (
        <DataTable
          label="Events"
          rows={rows}
          rowKey={({ id }) => id}
          columns={columns}
          card={({ type, subject, actor, createdAt }) => (
            <PhoneRow title={<EventType>{type}</EventType>}>
              <SubjectId>{subject.id}</SubjectId>
              <DateTime at={createdAt} /> · {actor?.name ?? "Purser"}
            </PhoneRow>
          )}
          onOpen={({ id }) => onFilter({ ...filter, event: id })}
          selectedKey={filter.event}
          more={more}
          hasMore={list.hasNextPage}
        />
      )}
      <EventDetails
        id={filter.event}
        listed={rows?.find(({ id }) => id === filter.event)}
        onClose={() => onFilter({ ...filter, event: undefined })}
      />
    </Stack>
  );
}

/** One event, as an endpoint or the feed gets it. A link may name one that the list has not reached. */
function EventDetails({
  id,
  listed,
  onClose,
}: {
  id: string | undefined;
  listed: Event | undefined;
  onClose: () => void;
}) {
  const { organizationId } = useOrganization();
  const sentenceOf = useEventSentence();
  const read = useQuery({
    ...queries.events.get.queryOptions({ organizationId, id: id ?? "" }),
    enabled: id !== undefined && listed === undefined,
    // An event never changes.
    staleTime: Infinity,
  });
  const event = listed ?? read.data;
  const failed = event === undefined ? failedQuery(read) : undefined;
  return (
    <Drawer
      opened={id !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title={event?.type ?? "Event"}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {id === undefined ? null : failed !== undefined ? (
        <Problem error={failed.error} retry={failed.refetch} />
      ) : event === undefined ? (
        <Rows />
      ) : (
        <Stack>
          <Text size="sm">{sentenceOf(event)}</Text>
          <Copyable value={event.id} label="Event id" />
          <Code block tabIndex={0} aria-label="Event as JSON">
            {JSON.stringify(event, null, 2)}
          </Code>
        </Stack>
      )}
    </Drawer>
  );
}
