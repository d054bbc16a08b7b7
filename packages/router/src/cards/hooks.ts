import type { Platform } from "../platform/context.ts";
import type { OrganizationHooks } from "../organizations/index.ts";
import { rezoneCards } from "./authorizations/service/rezone.ts";
import { freezeCardsOf } from "./service/update.ts";
import { hasOpenCard } from "./store.ts";

/** What happens to cards when their organization changes. */
export const cardHooks = (platform: Pick<Platform, "clock" | "outbox">): OrganizationHooks => ({
  blocksDeletion: async (transaction, organizationId) =>
    (await hasOpenCard(transaction, organizationId))
      ? "The organization has a card that is not closed."
      : null,
  memberLeft: (transaction, actor, member) => freezeCardsOf(platform, transaction, actor, member),
  timeZoneChanged: rezoneCards,
});
