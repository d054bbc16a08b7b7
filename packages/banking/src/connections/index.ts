export * from "./contract.ts";
export * from "./service/connect.ts";
export * from "./service/disconnect.ts";
export * from "./service/health.ts";
export * from "./service/list.ts";
export * from "./service/reconfirm.ts";
export * from "./service/sync.ts";
export * from "./service/update-consent.ts";
export { findConnection, hasAnyConnection } from "./store.ts";
