import { Problem, eventSubjects, validationFailed } from "@purser/core";
import type { ListContext } from "@purser/organizations";
import { type Keyring, requireItem } from "@purser/platform";
import { openEventData } from "@purser/platform/events";
import type { z } from "zod";
import type { Event, EventFeed, ListEvents, ReadFeed } from "./contract.ts";
import { decodeCursor, encodeCursor, feedStart } from "./feed/position.ts";
import { type StoredEvent, findEventId, readEvents, scanFeed, scanNewest } from "./store.ts";
import { visibilityOf } from "./visibility.ts";

export async function listEvents(ctx: ListContext, input: z.output<typeof ListEvents>): Promise<Event[]> {
  const { organizationId, types = [], subject, after: before, limit } = input;
  await requireItem(before, (id) => findEventId(ctx.readDb, organizationId, id));
  const visibility = await visibilityOf(ctx.readDb, ctx.caller, ctx);
  const filter = { organizationId, visibility, types };
  const { ids, last, hasMore } = await scanNewest(ctx.readDb, filter, { before, subject, limit });
  if (hasMore) ctx.response.nextAfter = last!.id;
  const found = await readEvents(ctx.readDb, organizationId, ids);
  return found.map((event) => toEvent(ctx.settings.encryptionKeys, event));
}

export async function readFeed(
  ctx: ListContext,
  input: z.output<typeof ReadFeed>,
): Promise<z.output<typeof EventFeed>> {
  const { organizationId, types = [], limit } = input;
  const after = input.cursor === undefined ? feedStart : positionOf(ctx, organizationId, input.cursor);
  const visibility = await visibilityOf(ctx.readDb, ctx.caller, ctx);
  const filter = { organizationId, visibility, types };
  const era = await ctx.eventLog.era();
  const { ids, last, hasMore } = await scanFeed(ctx.readDb, filter, { after, era, limit });
  const found = await readEvents(ctx.readDb, organizationId, ids);
  const cursor = encodeCursor({ organizationId, position: last ?? after, issuedAt: ctx.clock.now() });
  return { events: found.map((event) => toEvent(ctx.settings.encryptionKeys, event)), cursor, hasMore };
}

/** Throws VALIDATION_FAILED for a text that is no cursor of this feed, and CURSOR_EXPIRED for one that is too old. */
function positionOf({ clock, settings }: ListContext, organizationId: string, text: string) {
  const cursor = decodeCursor(text);
  if (cursor?.organizationId !== organizationId) {
    const message = "Must be a cursor of this organization's feed";
    throw validationFailed([{ path: ["cursor"], code: "custom", message }]);
  }
  // Events behind it may have been deleted.
  const kept = clock.now().getTime() - settings.eventRetentionDays * dayMs;
  if (cursor.issuedAt.getTime() < kept) throw new Problem("CURSOR_EXPIRED");
  return cursor.position;
}

const dayMs = 24 * 60 * 60 * 1000;

/** The contracts of the outputs check the data, and drop what they do not have. */
function toEvent(keys: Keyring, stored: StoredEvent): Event {
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
