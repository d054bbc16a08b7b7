export { BankLink, CreateLink } from "./contract.ts";
export { completeLink, createLink } from "./service.ts";
