import { Problem } from "@purser/core";
import type { ListContext, MemberContext } from "@purser/organizations";
import type { z } from "zod";
import type { Event, EventFeed, ListEvents, ReadFeed, TheEvent } from "./contract.ts";
import { encodeCursor, feedStart } from "./feed/position.ts";
import { requireNotAhead, requirePosition } from "./feed/require-position.ts";
import { dateInBacklog } from "./feed/retention.ts";
import { type StoredEvent, readEvents, scanFeed, scanNewest } from "./store.ts";
import { nextEventUnreadable, readEvent } from "./stored-event.ts";
import { findVisibility, isVisible, visibilityOf } from "./visibility.ts";

/** Leaves out what this process cannot read. Only the feed promises every event. */
export async function listEvents(ctx: ListContext, input: z.output<typeof ListEvents>): Promise<Event[]> {
  const { organizationId, types = [], subject, after: before, limit } = input;
  const visibility = await visibilityOf(ctx.readDb, ctx.caller, ctx);
  const filter = { organizationId, visibility, types };
  const { ids, last, hasMore } = await scanNewest(ctx.readDb, filter, { before, subject, limit });
  if (hasMore) ctx.response.nextAfter = last!.id;
  const found = await readVisible(ctx, organizationId, ids);
  return found.flatMap((stored) => readEvent(ctx, stored) ?? []);
}

/** Throws EVENT_NOT_FOUND, also for an event that the caller does not see. */
export async function getEvent(ctx: MemberContext, input: z.output<typeof TheEvent>): Promise<Event> {
  const { organizationId, id } = input;
  const [stored] = await readVisible({ ...ctx, readDb: ctx.db }, organizationId, [id]);
  if (stored === undefined) throw new Problem("EVENT_NOT_FOUND");
  const event = readEvent(ctx, stored);
  // Of a later version of the service, so another process may read it.
  if (event === null) throw new Problem("UNAVAILABLE", { retryAfterSeconds: 5 });
  return event;
}

/**
 * Reads events in the order of the feed, which has no gaps: it ends before the oldest transaction that may still add one. Throws
 * CURSOR_EXPIRED for a cursor older than what is kept, or of another copy of the database.
 */
export async function readFeed(
  ctx: ListContext,
  input: z.output<typeof ReadFeed>,
): Promise<z.output<typeof EventFeed>> {
  const { organizationId, types = [], limit } = input;
  const after =
    input.cursor === undefined
      ? feedStart
      : requirePosition(ctx, { organizationId, text: input.cursor, field: "cursor" });
  const visibility = await visibilityOf(ctx.readDb, ctx.caller, ctx);
  const filter = { organizationId, visibility, types };
  const { first: firstEra } = await ctx.eventLog.eras();
  const { ids, last, hasMore } = await scanFeed(ctx.readDb, filter, { after, firstEra, limit });
  if (last === null && input.cursor !== undefined) await requireNotAhead(ctx.db, after);
  const found = await readVisible(ctx, organizationId, ids);
  const events = readWhileReadable(ctx, found);
  const isCutOff = events.length < found.length;
  if (isCutOff && events.length === 0) throw nextEventUnreadable();
  const position = isCutOff ? found[events.length - 1]! : (last ?? after);
  const issuedAt = hasMore || isCutOff ? dateInBacklog(ctx, position) : ctx.clock.now();
  const cursor = encodeCursor({ organizationId, position, issuedAt });
  return { events, cursor, hasMore: hasMore && !isCutOff };
}

/**
 * Returns those of the events that the caller may still see. This is looked up after the scan that has found them: a role or the
 * holder of a card may have changed since the request began, and what has happened after that is not for the caller.
 */
async function readVisible(
  ctx: Pick<ListContext, "db" | "readDb" | "caller" | "clock">,
  organizationId: string,
  ids: readonly string[],
): Promise<StoredEvent[]> {
  if (ids.length === 0) return [];
  const { db, readDb, caller, clock } = ctx;
  const [found, visibility] = await Promise.all([
    readEvents(readDb, organizationId, ids),
    // A replica may be behind what has changed.
    findVisibility(db, organizationId, caller, clock.now()),
  ]);
  return found.filter((event) => isVisible(visibility, event));
}

/** Returns the events before the first one that this process cannot read. */
function readWhileReadable(ctx: ListContext, found: readonly StoredEvent[]): Event[] {
  const events: Event[] = [];
  for (const stored of found) {
    const event = readEvent(ctx, stored);
    if (event === null) break;
    events.push(event);
  }
  return events;
}
