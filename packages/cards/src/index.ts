export { type CardsPlatform } from "./context.ts";
export {
  Card,
  CardListItem,
  CreateCard,
  ListCards,
  TheCard,
  UpdateCard,
  UpdateCardStatus,
  UpdatedCardStatus,
} from "./contract.ts";
export { cardHooks } from "./hooks.ts";
export { openIssuers } from "./issuers.ts";
export { cardJobs } from "./job-definitions.ts";
export { cardHandlers } from "./jobs.ts";
export { cardMetrics } from "./metrics.ts";
export { holdEndsAt, merchantOf } from "./network.ts";
export { createCard } from "./service/create.ts";
export { findOrganizationOfCard, findOrganizationOfTransaction, getCard, listCards } from "./service/read.ts";
export { updateCard, updateCardStatus } from "./service/update.ts";
export { cardReceivers } from "./webhooks.ts";
