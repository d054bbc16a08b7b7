export { rezoneCards } from "./authorizations/service/rezone.ts";
export type { CardsContext, CardsPlatform } from "./context.ts";
export type { SandboxCardEvent } from "./issuers/sandbox/mapping.ts";
export type { Issuers } from "./ports.ts";
export { openIssuers } from "./service/issuers.ts";
export { type AbandonedCard, cardJobs } from "./service/jobs.ts";
export { actorOf, freezeCardsOf } from "./service/update.ts";
export { cardReceivers } from "./service/webhooks.ts";
export { hasOpenCard } from "./store.ts";
