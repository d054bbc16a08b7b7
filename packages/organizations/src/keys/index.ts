export * from "./contract.ts";
export * from "./resolve.ts";
export * from "./service.ts";
export { findOrganizationKeyById } from "./store.ts";
