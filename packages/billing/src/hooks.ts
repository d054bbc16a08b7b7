import type { OrganizationHooks } from "@purser/organizations";
import type { Platform } from "@purser/platform";
import { closeCheckoutOfOrganization } from "./service/close-checkout.ts";
import { hasOpenSubscription } from "./subscriptions/service.ts";

/** An organization with an open subscription cannot be deleted. Deleting an organization closes its open checkout. */
export const billingHooks = (platform: Pick<Platform, "outbox">): OrganizationHooks => ({
  blocksDeletion: async (transaction, organizationId, now) =>
    (await hasOpenSubscription(transaction, organizationId, now))
      ? "The organization has a subscription that has not ended."
      : null,
  deleted: (transaction, organizationId) =>
    closeCheckoutOfOrganization(platform, transaction, organizationId),
});
