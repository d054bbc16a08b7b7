export { fakeLithicDispute } from "./disputes.ts";
export { eventSecret, startLithicIssuer } from "./issuer.ts";
export { fakeLithicPurchase, signLithicWebhook } from "./network.ts";
