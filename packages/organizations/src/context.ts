import type { Platform } from "@purser/platform";
import type { MemberContext } from "./access.ts";
import type { OrganizationHooks } from "./hooks.ts";

/** The platform with the hooks of the areas. */
export type OrganizationsPlatform = Platform & {
  /** Run in this order. The first hook that blocks a deletion decides the error. */
  organizationHooks: readonly OrganizationHooks[];
};

/** The context of a procedure that changes an organization. */
export type OrganizationsContext = MemberContext & OrganizationsPlatform;
