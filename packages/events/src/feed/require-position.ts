import { Problem, validationFailed } from "@purser/core";
import type { Platform } from "@purser/platform";
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
    const message = "Must be a cursor of this organization's feed";
    throw validationFailed([{ path: [field], code: "custom", message }]);
  }
  if (isExpired(platform, cursor.issuedAt)) throw new Problem("CURSOR_EXPIRED");
  return cursor.position;
}
