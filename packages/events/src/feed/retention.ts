import { addMs, dayMs, timeOfId } from "@purser/core";
import type { Platform } from "@purser/platform";
import type { FeedPosition } from "./position.ts";

/** An event is in the feed once its transaction has committed, which may be so much later than its time says. */
const latenessMs = 60 * 60 * 1000;

type Parts = Pick<Platform, "clock"> & { settings: Pick<Platform["settings"], "eventRetentionDays"> };

/**
 * Since when events are kept: for as long as a cursor that is before them is valid, and for `atLeastMs`, in which all that
 * has to be done with them is done.
 */
export function keptSince({ clock, settings }: Parts, { atLeastMs }: { atLeastMs: number }): Date {
  const keptMs = Math.max(settings.eventRetentionDays * dayMs, atLeastMs) + latenessMs;
  return addMs(clock.now(), -keptMs);
}

/** Whether events after a cursor of this date may have been deleted. */
export function isExpired({ clock, settings }: Parts, issuedAt: Date): boolean {
  return clock.now().getTime() - issuedAt.getTime() > settings.eventRetentionDays * dayMs;
}

/**
 * The date of a cursor after which there are events already: not now, because they are deleted before a cursor of now
 * expires, but the time of the event that it is after. Such a cursor is valid for an hour at least, or no reader could start
 * at the beginning while events are deleted there. Those that are deleted within that hour were older than the retention.
 */
export function dateInBacklog({ clock, settings }: Parts, { id }: FeedPosition): Date {
  const oldest = clock.now().getTime() - settings.eventRetentionDays * dayMs + latenessMs;
  return new Date(id === "" ? oldest : Math.max(timeOfId(id).getTime(), oldest));
}
