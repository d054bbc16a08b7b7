import type { OrganizationHooks } from "@purser/organizations";
import type { BillingPlatform } from "./context.ts";
import { closeCheckoutOfOrganization } from "./service/close-checkout.ts";
import { enqueueCustomerMoves } from "./service/move-customer.ts";
import { resolveBeforeDeletion } from "./service/resolve-checkout.ts";
import { listSubscriptionRows } from "./store.ts";
import { subscriptionAt } from "./subscriptions/rules.ts";

/**
 * An organization with an open subscription cannot be deleted. Deleting an organization closes its open checkout, unless one
 * was paid. Its customers at the providers follow its owners.
 */
export const billingHooks = (platform: BillingPlatform): OrganizationHooks => ({
  beforeDeletion: (organizationId) => resolveBeforeDeletion(platform, organizationId),
  async blocksDeletion(transaction, organizationId, now) {
    const rows = await listSubscriptionRows(transaction, organizationId);
    const isOpen = rows.some((row) => subscriptionAt(row, now).status !== "CANCELED");
    return isOpen ? "The organization has a subscription that has not ended." : null;
  },
  deleted: (transaction, organizationId) =>
    closeCheckoutOfOrganization(platform, transaction, organizationId),
  ownerAddressEnds: (transaction, owner) => enqueueCustomerMoves(platform, transaction, owner),
});
