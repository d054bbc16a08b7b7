export type { Access, ListContext, MemberContext, Reading } from "./access.ts";
export type { OrganizationsPlatform } from "./context.ts";
export type { OrganizationHooks } from "./hooks.ts";
export { findInvitation, hasOpenInvitation } from "./invitations/store.ts";
export { findMembership, findMembershipById } from "./membership.ts";
export { insertMembership, listMembershipsOf } from "./members/store.ts";
export { listOwners, lockForOwner, releaseUser, transferOrganization } from "./ownership.ts";
export {
  findOrganization,
  insertOrganization,
  listSomeOrganizations,
  lockExistingOrganization,
  lockOrganization,
  organizationExists,
} from "./store.ts";
