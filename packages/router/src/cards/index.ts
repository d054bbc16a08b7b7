export type { CardsPlatform } from "./context.ts";
export { cardHooks } from "./hooks.ts";
export { cardJobs } from "./job-definitions.ts";
export { cardMetrics } from "./metrics.ts";
export type { CardIssuer, IssuerName, Issuers } from "./ports.ts";
export { openIssuers } from "./service/issuers.ts";
export { cardHandlers } from "./service/jobs.ts";
export { findOrganizationOfCard, findOrganizationOfTransaction } from "./service/read.ts";
export { cardReceivers } from "./service/webhooks.ts";
