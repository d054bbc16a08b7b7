import { defineJob, onSchedule } from "@purser/platform/jobs";
import type { CardRequest, IssuerName } from "./ports.ts";

/** A card that was requested and given up. It may exist at its issuer, where it must be closed. */
export interface AbandonedCard extends CardRequest {
  issuer: IssuerName;
}

/** The jobs of cards. */
export const cardJobs = {
  /** Authorizations are refused here at once. The issuer learns about the status as soon as it is up again. */
  status: defineJob<{ organizationId: string; cardId: string }>("cards.status", {
    retries: 15,
    pauseSeconds: 2,
    longestPauseSeconds: 60 * 60,
  }),
  abandon: defineJob<AbandonedCard>("cards.abandon", {
    retries: 15,
    pauseSeconds: 10,
    longestPauseSeconds: 60 * 60,
  }),
  sweep: defineJob<null>("cards.sweep", onSchedule("* * * * *")),
};
