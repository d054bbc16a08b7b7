export * from "./contract.ts";
export { mergeAccounts } from "./service/merge.ts";
export { getAccount, listAccounts } from "./service/read.ts";
export { findFundingAccount } from "./store/list.ts";
