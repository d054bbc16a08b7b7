export * from "./contract.ts";
export * from "./service.ts";
export { listReachableMembershipsOf } from "./store.ts";
