export * from "./contract.ts";
export * from "./service/list.ts";
export * from "./service/read.ts";
export * from "./service/update.ts";
export { findTransactionRow } from "./store/list.ts";
