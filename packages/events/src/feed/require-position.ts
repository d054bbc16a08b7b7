import { Problem, invalidField } from "@purser/core";
import type { Executor } from "@purser/db";
import type { Platform } from "@purser/platform";
import { isAhead } from "../store.ts";
import { type FeedPosition, decodeCursor } from "./position.ts";
import { isExpired } from "./retention.ts";

/**
 * Returns the position of a cursor. Throws VALIDATION_FAILED for a text in this field that is no cursor of the
 * organization's feed, and CURSOR_EXPIRED for one that is too old.
 */
export function requirePosition(
  platform: Pick<Platform, "clock"> & { settings: Pick<Platform["settings"], "eventRetentionDays"> },
  { organizationId, text, field }: { organizationId: string; text: string; field: string },
): FeedPosition {
  const cursor = decodeCursor(text);
  if (cursor?.organizationId !== organizationId) {
    const message = "Must be a cursor of this organization's feed, not the id of an event";
    throw invalidField(field, message);
  }
  if (isExpired(platform, cursor.issuedAt)) throw new Problem("CURSOR_EXPIRED");
  return cursor.position;
}

/**
 * Throws CURSOR_EXPIRED for a position that is ahead of this server. A reader gets it from a copy of the database, such as a
 * restored backup that was given up. It would get no event for a long time, if ever. If there are events after the position,
 * it is not ahead.
 */
export async function requireNotAhead(primary: Executor, position: FeedPosition): Promise<void> {
  if (!(await isAhead(primary, position))) return;
  throw new Problem("CURSOR_EXPIRED", { detail: "The cursor is from another copy of the database." });
}
