import type { OrganizationHooks } from "@purser/organizations";
import type { Platform } from "@purser/platform";
import { cardJobs } from "./job-definitions.ts";
import { freezeCardsOf } from "./service/status.ts";
import { hasOpenCard } from "./store.ts";

/** What happens to cards when their organization changes. */
export const cardHooks = (platform: Pick<Platform, "clock" | "outbox">): OrganizationHooks => ({
  blocksDeletion: async (transaction, organizationId) =>
    (await hasOpenCard(transaction, organizationId))
      ? "The organization has a card that is not closed."
      : null,
  memberLeft: (transaction, actor, member) => freezeCardsOf(platform, transaction, actor, member),
  timeZoneChanged: (transaction, { organizationId }) =>
    platform.outbox.enqueue(transaction, cardJobs.recountAll, { organizationId, after: null }),
});
