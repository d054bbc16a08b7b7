import { defineJob, onSchedule } from "@purser/platform/jobs";
import type { CardRequest, IssuerName } from "./ports.ts";

/** A card that was requested and abandoned. If it exists at the issuer, it must be closed there. */
export interface AbandonedCard extends CardRequest {
  issuer: IssuerName;
}

/** The jobs of cards. */
export const cardJobs = {
  /** Updates the issuer's status. Decisions use the new status at once, even while the issuer is down. */
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
