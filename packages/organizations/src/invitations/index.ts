export * from "./contract.ts";
export * from "./service.ts";
export { findInvitation, hasOpenInvitation } from "./store.ts";
