export * from "./contract.ts";
export * from "./service.ts";
export { findQuarantined } from "./store.ts";
