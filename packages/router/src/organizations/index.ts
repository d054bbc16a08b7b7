export type { Access, ListContext, MemberContext, Reading } from "./access.ts";
export { findMembership } from "./membership.ts";
export { lockForOwner, releaseUser, transferOrganization } from "./ownership.ts";
export { listOwners, lockOrganization } from "./store.ts";
export { asOf } from "./subscription/rules.ts";
export { subscriptionsOf } from "./subscription/service.ts";
