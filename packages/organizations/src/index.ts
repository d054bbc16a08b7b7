export { type Access, type ListContext, type MemberContext, type Reading } from "./access.ts";
export { type OrganizationsPlatform } from "./context.ts";
export {
  CreatedOrganization,
  CreateOrganization,
  ListOrganizations,
  Organization,
  OrganizationListItem,
  TheOrganization,
  UpdateOrganization,
} from "./contract.ts";
export { type OrganizationHooks } from "./hooks.ts";
export { findAccess, findMembership, findMembershipById } from "./membership.ts";
export { listOwners, lockForOwner, releaseUser } from "./ownership.ts";
export { createOrganization, deleteOrganization, listOrganizations, updateOrganization } from "./service.ts";
export {
  findOrganization,
  insertOrganization,
  listSomeOrganizations,
  lockExistingOrganization,
  lockOrganization,
  organizationExists,
} from "./store.ts";
export { transferOrganization } from "./ownership.ts";
