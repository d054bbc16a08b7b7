export * from "./contract.ts";
export { listTransactions } from "./service/list.ts";
export { getTransaction } from "./service/read.ts";
export { updateBankTransaction } from "./service/update.ts";
