import type { OrganizationEvent } from "@purser/organizations/feed-events";
import {
  type NewEvent,
  announceAfterCommit,
  eventOrigin,
  eventRow,
  insertingEvents,
} from "@purser/platform/events";
import type { TestPurser } from "@purser/testing";

/**
 * Records events of an organization that gets these names, in one transaction, which commits when `until` has ended.
 */
export function recordNamesOf(
  platform: TestPurser["platform"],
  organizationId: string,
  names: readonly string[],
  until: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  return platform.db.transaction(async (transaction) => {
    const recorded = namedEvents(organizationId, names);
    const origin = await eventOrigin(platform, null);
    // Not with `recordEvents`, which writes at the end: `until` may look at what is there by then.
    await transaction.execute(insertingEvents(recorded.map((event) => eventRow(origin, event))));
    announceAfterCommit(platform, transaction, recorded);
    await until();
  });
}

/** Events of an organization that gets these names. */
export const namedEvents = (
  organizationId: string,
  names: readonly string[],
): NewEvent<OrganizationEvent>[] =>
  names.map((name) => ({
    organizationId,
    type: "organization.updated",
    subject: organizationId,
    data: { id: organizationId, name, avatarUrl: null },
  }));
