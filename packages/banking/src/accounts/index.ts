export * from "./contract.ts";
export * from "./service/merge.ts";
export * from "./service/read.ts";
export { findFundingAccount } from "./store/list.ts";
