export { BankAccount, BankAccountDetails, GetAccount, ListAccounts } from "./contract.ts";
export { getAccount, listAccounts } from "./service.ts";
export { findFundingAccount } from "./store/list.ts";
