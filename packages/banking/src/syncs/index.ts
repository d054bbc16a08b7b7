export { BankSync, ListSyncs } from "./contract.ts";
export { listSyncs } from "./service/list.ts";
