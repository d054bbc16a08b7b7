export { sandboxBank } from "./bank.ts";
export * from "./controls/contract.ts";
export * from "./controls/service.ts";
export { expireConsent, repairConsent, requireReauthorization, revokeConsent } from "./controls/bank.ts";
export { externalIdsOf } from "./external-ids.ts";
export { approveLink, openConsentPage, refuseLink } from "./links.ts";
export { purgeSandboxLinks } from "./store/links.ts";
