export { ListMembers, OrganizationMember, RemoveMember, UpdateRole } from "./contract.ts";
export { listMembers, removeMember, updateRole } from "./service.ts";
export { insertMembership, listMembershipsOf } from "./store.ts";
