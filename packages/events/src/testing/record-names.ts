import type { OrganizationEvent } from "@purser/organizations/events";
import { recordEvents } from "@purser/platform/events";
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
    const recorded = names.map((name) => ({
      organizationId,
      type: "organization.updated" as const,
      subject: organizationId,
      data: { id: organizationId, name, avatarUrl: null },
    }));
    await recordEvents<OrganizationEvent>(platform, transaction, null, recorded);
    await until();
  });
}
