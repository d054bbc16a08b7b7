import type { Platform } from "@purser/platform";
import type { MemberContext } from "./access.ts";
import type { OrganizationHooks } from "./hooks.ts";

/** The platform with what the areas do when an organization changes. */
export type OrganizationsPlatform = Platform & {
  /** They run in this order; the caller reads of the first area that blocks a deletion. */
  organizationHooks: readonly OrganizationHooks[];
};

/** The context of a procedure that changes an organization. */
export type OrganizationsContext = MemberContext & OrganizationsPlatform;
