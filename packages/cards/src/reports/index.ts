export * from "./contract.ts";
export * from "./service/report.ts";
