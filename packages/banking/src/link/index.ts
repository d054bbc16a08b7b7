export * from "./contract.ts";
export * from "./service/hosted-links.ts";
