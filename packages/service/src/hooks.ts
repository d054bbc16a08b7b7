import { type BankingPlatform, bankingHooks } from "@purser/banking";
import { type BillingPlatform, billingHooks } from "@purser/billing";
import { cardFundingHooks, cardHooks } from "@purser/cards";
import { webhookHooks } from "@purser/events/webhook-endpoints";
import type { IdentityPlatform } from "@purser/identity";
import type { OrganizationsPlatform } from "@purser/organizations";
import { hasOpenInvitation } from "@purser/organizations/invitations";
import { isKeyOfOrganization, resolveOrganizationKey } from "@purser/organizations/keys";
import { endOwnerAddresses, removeUserFromOrganizations } from "@purser/organizations/members";

/** Connects the areas to changes of organizations and bank accounts, and organizations to those of users. */
export function openHooks(
  platform: BillingPlatform,
): Pick<
  OrganizationsPlatform & IdentityPlatform & BankingPlatform,
  "organizationHooks" | "identityHooks" | "bankAccountHooks"
> {
  const organizationHooks = [cardHooks(platform), bankingHooks, billingHooks(platform), webhookHooks];
  return {
    organizationHooks,
    bankAccountHooks: [cardFundingHooks(platform)],
    identityHooks: {
      userDeleted: (db, userId, actor) =>
        removeUserFromOrganizations({ ...platform, db, organizationHooks }, userId, actor),
      addressChanges: (transaction, userId) => endOwnerAddresses({ organizationHooks }, transaction, userId),
      isInvited: hasOpenInvitation,
      isKeyOfOrganization,
      resolveOrganizationKey,
    },
  };
}
