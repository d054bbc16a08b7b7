import { type HousekeepingTask, createBatcher } from "@purser/platform";
import { type HandledJob, handleJobs } from "@purser/platform/jobs";
import { declineLate } from "./authorizations/service/advise.ts";
import { expireHolds } from "./authorizations/service/expire.ts";
import { enqueueRecounts, recountForTimeZone } from "./authorizations/service/recount-for-time-zone.ts";
import { sendCardholderDetails } from "./cardholder/service.ts";
import type { CardsPlatform } from "./context.ts";
import { cardJobs, parseLateRequest } from "./job-definitions.ts";
import { rollUpSpending } from "./reports/service/roll-up.ts";
import { purgeEndedReveals } from "./reveal/service.ts";
import { abandonUnissuedCards, closeAbandonedAtIssuer } from "./service/abandon.ts";
import { sendCardholder, sendStatus } from "./service/sync-issuer.ts";

/** The handlers of the jobs of cards. */
export function cardHandlers(platform: CardsPlatform): HandledJob[] {
  return handleJobs(cardJobs, {
    status: (card) => sendStatus(platform, card),
    setCardholder: (card) => sendCardholder(platform, card),
    updateCardholder: (cardholder) => sendCardholderDetails(platform, cardholder),
    declineLate: ({ issuer, message }) => declineLate(platform, issuer, parseLateRequest(message)),
    abandon: (card) => closeAbandonedAtIssuer(platform, card),
    recountAll: (page) => enqueueRecounts(platform, page),
    // One card at a time: ten at once, as jobs run, would take all connections of this process.
    recount: createBatcher({
      run: async ([card]) => [await recountForTimeZone(platform, card!)],
      maxBatchSize: 1,
      maxWaitMs: 60_000,
    }),
    sweep: async () => {
      try {
        await expireHolds(platform);
      } finally {
        await abandonUnissuedCards(platform);
      }
    },
  });
}

/** The hourly tasks of cards. */
export const cardTasks = (platform: CardsPlatform): HousekeepingTask[] => [
  () => purgeEndedReveals(platform),
  () => rollUpSpending(platform),
];
