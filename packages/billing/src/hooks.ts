import type { Platform } from "@purser/platform";
import type { OrganizationHooks } from "@purser/organizations";
import { endCheckoutOf } from "./service/close-checkout.ts";
import { hasOpenSubscription } from "./subscriptions/service.ts";

/** What happens to subscriptions and checkouts when their organization changes. */
export const billingHooks = (platform: Pick<Platform, "outbox">): OrganizationHooks => ({
  blocksDeletion: async (transaction, organizationId, now) =>
    (await hasOpenSubscription(transaction, organizationId, now))
      ? "The organization has a subscription that has not ended."
      : null,
  deleted: (transaction, organizationId) => endCheckoutOf(platform, transaction, organizationId),
});
