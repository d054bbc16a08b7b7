export {
  type ListContext,
  type MemberContext,
  type OrganizationAccess,
  type ReadDatabase,
  type RequiredRole,
  findAccess,
  refuseAccess,
  requireVerifiedAddress,
} from "./access.ts";
export { type OrganizationsPlatform } from "./context.ts";
export * from "./contract.ts";
export { type OrganizationHooks } from "./hooks.ts";
export { findMemberIds, findMembership, findMembershipById, findOwnerAddress } from "./members/store.ts";
export { lockForMember, lockForOwner, lockForOwnerOrKey, lockForOwnerUser } from "./service/locks.ts";
export { mailOwners } from "./service/mail-owners.ts";
export * from "./service/manage.ts";
export { transferOrganization } from "./service/transfer.ts";
export {
  findOrganization,
  insertOrganization,
  listSomeOrganizations,
  lockOrganization,
  lockOrganizationEvenIfDeleted,
  partialApprovalsWhere,
} from "./store.ts";
