export { findMembership } from "./membership.ts";
export { lockForOwner, releaseUser, transferOrganization } from "./ownership.ts";
export { lockOrganization } from "./store.ts";
