export * from "./contract.ts";
export * from "./service.ts";
export { insertMembership, listMembershipsOf } from "./store.ts";
