import { Event, EventFeed, ListEvents, ReadFeed, listEvents, readFeed } from "@purser/events";
import { z } from "zod";
import { fromReplica, inOrganization, userProcedure } from "./trpc.ts";

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

  feed: userProcedure
    .meta({
      rest: { method: "GET", path: "/api/events/feed" },
      summary:
        "Reads the feed of what happened in an organization, oldest first, without gaps: whoever reads it cursor by cursor gets each event exactly once, in the same order.",
      access: "member",
      returns: "The events after the cursor, and the cursor of the next call.",
      errors: ["ORGANIZATION_NOT_FOUND", "CURSOR_EXPIRED"],
    })
    .input(ReadFeed)
    .output(EventFeed)
    .use(inOrganization("member"))
    .use(fromReplica)
    .query(({ ctx, input }) => readFeed(ctx, input)),
};
