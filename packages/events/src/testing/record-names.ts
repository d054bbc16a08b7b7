import type { OrganizationEvent } from "@purser/organizations/events";
import { type NewEvent, recordEvents } from "@purser/platform/events";
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
    await recordEvents(platform, transaction, null, namedEvents(organizationId, names));
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
