import {
  Event,
  EventFeed,
  ListEvents,
  ReadFeed,
  StreamEvents,
  TheEvent,
  getEvent,
  listEvents,
  readFeed,
} from "@purser/events";
import { z } from "zod";
import { streamOf, trackedStream } from "../stream.ts";
import { fromReplica, inOrganization, userProcedure } from "../trpc.ts";

export const events = {
  list: userProcedure
    .meta({
      rest: { method: "GET", path: "/api/events" },
      summary: "Lists what happened in an organization, newest first.",
      access: "member",
      returns:
        "A page of the events, newest first. It may be shorter than `limit` although there is a next page, because members do not see all events.",
      errors: ["ORGANIZATION_NOT_FOUND"],
    })
    .input(ListEvents)
    .output(z.array(Event))
    .use(inOrganization("member"))
    .use(fromReplica)
    .query(({ ctx, input }) => listEvents(ctx, input)),

  get: userProcedure
    .meta({
      rest: { method: "GET", path: "/api/events/:id" },
      summary: "Returns an event of an organization.",
      access: "member",
      returns: "The event.",
      errors: ["ORGANIZATION_NOT_FOUND", "EVENT_NOT_FOUND"],
    })
    .input(TheEvent)
    .output(Event)
    .use(inOrganization("member"))
    .query(({ ctx, input }) => getEvent(ctx, input)),

  feed: userProcedure
    .meta({
      rest: { method: "GET", path: "/api/events/feed" },
      summary:
        "Reads the feed of what happened in an organization, oldest first, without gaps. A client that reads it cursor by cursor gets each event exactly once, in the same order.",
      access: "member",
      returns: "The events after the cursor, and the cursor of the next call.",
      errors: ["ORGANIZATION_NOT_FOUND", "CURSOR_EXPIRED"],
    })
    .input(ReadFeed)
    .output(EventFeed)
    .use(inOrganization("member"))
    .use(fromReplica)
    .query(({ ctx, input }) => readFeed(ctx, input)),

  stream: userProcedure
    .meta({
      rest: { method: "GET", path: "/api/events/stream" },
      summary:
        "Streams what happens in an organization, over REST as Server-Sent Events: the events that the feed has after `lastEventId`, and then each one as soon as it happens. The caller's access is checked repeatedly. When it is lost, the stream ends.",
      access: "member",
      returns:
        "Events without end. Over REST, a message has the event's type as `event`, its cursor as `id`, and the event as `data`. A comment follows every 15 seconds. An `event: error` with a problem document ends a stream that cannot go on. Unless the problem is `retryable`, the caller has lost access. Reconnect with the last `id`, not before the time in `retry`.",
      errors: ["ORGANIZATION_NOT_FOUND", "CURSOR_EXPIRED"],
    })
    .input(StreamEvents)
    .output(streamOf(Event))
    .use(inOrganization("member"))
    .subscription(async ({ ctx, input, signal }) =>
      trackedStream(await ctx.eventStreams.open(ctx, input, signal)),
    ),
};
