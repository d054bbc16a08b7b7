import { bankingHooks } from "../banking/index.ts";
import { billingHooks } from "../billing/index.ts";
import { cardHooks } from "../cards/index.ts";
import type { IdentityPlatform } from "../identity/index.ts";
import { type OrganizationsPlatform, hasOpenInvitation, releaseUser } from "../organizations/index.ts";
import type { Platform } from "../platform/context.ts";

/** Connects the areas to what happens to organizations, and organizations to what happens to users. */
export function openHooks(
  platform: Pick<Platform, "clock" | "outbox">,
): Pick<OrganizationsPlatform & IdentityPlatform, "organizationHooks" | "identityHooks"> {
  const { clock } = platform;
  const organizationHooks = [cardHooks(platform), bankingHooks, billingHooks(platform)];
  return {
    organizationHooks,
    identityHooks: {
      userDeleted: (db, userId) => releaseUser({ db, clock, organizationHooks }, userId),
      isInvited: hasOpenInvitation,
    },
  };
}
