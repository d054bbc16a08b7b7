export * from "./controls/contract.ts";
export * from "./controls/service.ts";
export { sandboxIssuer } from "./issuer.ts";
