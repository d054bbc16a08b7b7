import { eventSubjects } from "@purser/core";
import type { Keyring } from "@purser/platform";
import { openEventData } from "@purser/platform/events";
import type { Event } from "./contract.ts";
import type { StoredEvent } from "./store.ts";

/** Returns the event of a row. The contracts of the outputs check the data, and drop what they do not have. */
export function openEvent(keys: Keyring, stored: StoredEvent): Event {
  const { id, organizationId, type, subjectId, actorId, actorName, createdAt } = stored;
  return {
    id,
    organizationId,
    type,
    createdAt,
    actor: actorId === null ? null : { id: actorId, name: actorName ?? "" },
    subject: { type: eventSubjects[type], id: subjectId },
    data: openEventData(keys, stored),
  } as Event;
}
