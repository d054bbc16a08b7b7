export * from "./contract.ts";
export * from "./service.ts";
