import type { Platform } from "../platform/context.ts";
import type { OrganizationHooks } from "../organizations/index.ts";
import { endCheckoutOf } from "./service/expire.ts";
import { hasOpenSubscription } from "./subscriptions/service.ts";

/** What happens to subscriptions and checkouts when their organization changes. */
export const billingHooks = (platform: Pick<Platform, "outbox">): OrganizationHooks => ({
  blocksDeletion: async (transaction, organizationId, now) =>
    (await hasOpenSubscription(transaction, organizationId, now))
      ? "The organization has a subscription that has not ended."
      : null,
  deleted: (transaction, organizationId) => endCheckoutOf(platform, transaction, organizationId),
});
