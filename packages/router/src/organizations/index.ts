export type { Access, ListContext, MemberContext, Reading } from "./access.ts";
export type { OrganizationsPlatform } from "./context.ts";
export type { OrganizationHooks } from "./hooks.ts";
export { hasOpenInvitation } from "./invitations/store.ts";
export { findMembership } from "./membership.ts";
export { lockForOwner, releaseUser, transferOrganization } from "./ownership.ts";
export { listOwners, lockOrganization } from "./store.ts";
