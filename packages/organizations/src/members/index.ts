export * from "./contract.ts";
export * from "./service.ts";
export { listMembershipsOf } from "./store.ts";
