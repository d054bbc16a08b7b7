export * from "./billing.ts";
export * from "./identity.ts";
export * from "./organizations.ts";
export * from "./platform.ts";
