import { bankingEventContracts } from "@purser/banking/feed-events";
import { subscriptionEventContracts } from "@purser/billing/feed-events";
import { cardEventContracts } from "@purser/cards/feed-events";
import { Id, eventTypes, exampleIds, explained, page, sharedFields, text } from "@purser/core";
import { organizationEventContracts } from "@purser/organizations/feed-events";
import { z } from "zod";
import { webhookEndpointEventContracts } from "./webhook-endpoints/feed-events/contract.ts";

/** Every event. `type` determines what `data` is. */
export const Event = z
  .discriminatedUnion("type", [
    ...organizationEventContracts,
    ...bankingEventContracts,
    ...cardEventContracts,
    ...subscriptionEventContracts,
    ...webhookEndpointEventContracts,
  ])
  .meta({
    id: "Event",
    description:
      "Something that happened in an organization, written in the same transaction as the change. `type` determines what `data` is. More types may be added.",
  });

export type Event = z.output<typeof Event>;

const organizationId = Id.meta(sharedFields.organizationId);

const types = z
  .array(z.enum(eventTypes).meta(explained("A type of event.", "card_transaction.declined")))
  .max(eventTypes.length)
  .meta(explained("Only events of these types. If absent or empty, all.", ["card_transaction.declined"]))
  .optional();

export const ListEvents = z.strictObject({
  organizationId,
  types,
  subject: Id.meta(
    explained("Only events of the subject with this id. If absent, all.", exampleIds.card),
  ).optional(),
  ...page("evt"),
});

export const TheEvent = z.strictObject({
  organizationId,
  id: Id.meta(explained("The event's id.", exampleIds.evt)),
});

const cursor = explained(
  "A position in the feed. Opaque: store it and pass it on unchanged.",
  "eyJvIjoib3JnXzAxa2pweDhuaDBlYnRiYnducWR4dmgwdHI4IiwiZSI6MX0",
);

export const ReadFeed = z.strictObject({
  organizationId,
  cursor: text(500)
    .meta({
      ...cursor,
      description:
        "Where to continue: the `cursor` of the previous answer. If absent, the feed starts with its oldest event.",
    })
    .optional(),
  types,
  limit: z
    .int()
    .min(1)
    .max(1000)
    .default(100)
    .meta(explained("The maximum number of events in the response, from 1 to 1000.", 100)),
});

export const StreamEvents = z.strictObject({
  organizationId,
  types,
  lastEventId: text(500)
    .meta({
      ...cursor,
      description:
        "Where to continue: a cursor of the feed, or of the last message of a stream, whose `id` it is. The `id` of an event is none. If absent, the stream begins now. The header `Last-Event-ID` does the same.",
    })
    .optional(),
});

export const EventFeed = z
  .object({
    events: z
      .array(Event)
      .meta(explained("The events after the cursor, the oldest first. May be empty.", [])),
    cursor: z.string().meta({
      ...cursor,
      description: "The position after these events. Pass it to the next call, also if there were none.",
    }),
    hasMore: z
      .boolean()
      .meta(explained("Whether there are more events already. Then call again immediately.", false)),
  })
  .meta({ id: "EventFeed", description: "A part of the feed of events, in its order." });
