import type { OrganizationHooks } from "@purser/organizations";
import { hasActiveConnection } from "./connections/store.ts";

/** Banking's hooks into changes of organizations. */
export const bankingHooks: OrganizationHooks = {
  blocksDeletion: async (transaction, organizationId) =>
    (await hasActiveConnection(transaction, organizationId))
      ? "The organization has a bank connection that is active."
      : null,
};
