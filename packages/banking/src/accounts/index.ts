export * from "./contract.ts";
export * from "./service/merge.ts";
export * from "./service/read.ts";
export { findAccountOwner, findFundingAccount } from "./store/list.ts";
