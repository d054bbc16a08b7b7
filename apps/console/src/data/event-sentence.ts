import type { Event } from "@purser/client";
import { useQuery } from "@tanstack/react-query";
import { sentenceOf } from "./event-labels.ts";
import { useOrganization } from "./organization.ts";
import { queries } from "./purser.ts";

/** Writes events of the organization as sentences, with the names of its banks. */
export function useEventSentence(): (event: Event) => string {
  const { organizationId: teamId, timeZone } = useOrganization();
  const { data: health } = useQuery(queries.banking.connections.health.queryOptions({ teamId }));
  const bankNameOf = (id: string) => health?.find(({ connectionId }) => connectionId === id)?.institutionName;
  return (event) => sentenceOf(event, { timeZone, bankNameOf });
}
