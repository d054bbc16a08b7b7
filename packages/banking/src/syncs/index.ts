export * from "./contract.ts";
export * from "./service/list.ts";
