export type { CardsPlatform } from "./context.ts";
export { cardGauges } from "./gauges.ts";
export { cardHooks } from "./hooks.ts";
export type { CardIssuer, IssuerName, Issuers } from "./ports.ts";
export { openIssuers } from "./service/issuers.ts";
export { type AbandonedCard, cardJobs } from "./service/jobs.ts";
export { findOrganizationOfCard, findOrganizationOfTransaction } from "./service/read.ts";
export { cardReceivers } from "./service/webhooks.ts";
