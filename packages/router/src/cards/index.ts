export type { CardsPlatform } from "./context.ts";
export { cardHooks } from "./hooks.ts";
export type { SandboxCardEvent } from "./issuers/sandbox/mapping.ts";
export type { Issuers } from "./ports.ts";
export { openIssuers } from "./service/issuers.ts";
export { type AbandonedCard, cardJobs } from "./service/jobs.ts";
export { findOrganizationOfCard, findOrganizationOfTransaction } from "./service/read.ts";
export { cardReceivers } from "./service/webhooks.ts";
