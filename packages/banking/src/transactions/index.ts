export * from "./contract.ts";
export { exportTransactions, listTransactions } from "./service/list.ts";
export { getTransaction } from "./service/read.ts";
export { updateBankTransaction } from "./service/update.ts";
