export { BankTransaction, ListTransactions } from "./contract.ts";
export { listTransactions } from "./service.ts";
