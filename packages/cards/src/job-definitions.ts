import { defineJob, onSchedule } from "@purser/platform/jobs";
import type { CardRequest, IssuerName, RequestMessage } from "./ports.ts";

/** A card that was requested and abandoned. If it exists at the issuer, it must be closed there. */
export interface AbandonedCard extends CardRequest {
  issuer: IssuerName;
}

/** A request that the network was refused although its decision may be stored. Its instants are text. */
export interface LateRequest {
  issuer: IssuerName;
  message: Serialized<RequestMessage>;
}

type Serialized<Message> = Message extends unknown
  ? {
      [Field in keyof Message]: Message[Field] extends Date | null | undefined
        ? string | Exclude<Message[Field], Date>
        : Message[Field];
    }
  : never;

const recountPolicy = { retries: 15, pauseSeconds: 1, longestPauseSeconds: 60 * 60 };

/** The jobs of cards. */
export const cardJobs = {
  /** Updates the issuer's status. Decisions use the new status at once, even while the issuer is down. */
  status: defineJob<{ organizationId: string; cardId: string }>("cards.status", {
    retries: 15,
    pauseSeconds: 2,
    longestPauseSeconds: 60 * 60,
  }),
  /** Names the new holder to the issuer. */
  holder: defineJob<{ organizationId: string; cardId: string }>("cards.holder", {
    retries: 15,
    pauseSeconds: 2,
    longestPauseSeconds: 60 * 60,
  }),
  /** Sends changed details of a cardholder to the issuers of their cards. It reads them itself: they are in no payload. */
  cardholder: defineJob<{ organizationId: string; userId: string }>("cards.cardholder", {
    retries: 15,
    pauseSeconds: 10,
    longestPauseSeconds: 60 * 60,
  }),
  declineLate: defineJob<LateRequest>("cards.decline-late", {
    retries: 15,
    pauseSeconds: 2,
    longestPauseSeconds: 60 * 60,
  }),
  abandon: defineJob<AbandonedCard>("cards.abandon", {
    retries: 15,
    pauseSeconds: 10,
    longestPauseSeconds: 60 * 60,
  }),
  /** Enqueues a recount of each card after a change of the organization's time zone. */
  recountAll: defineJob<{ organizationId: string; after: string | null }>("cards.recountAll", recountPolicy),
  recount: defineJob<{ organizationId: string; cardId: string }>("cards.recount", recountPolicy),
  sweep: defineJob<null>("cards.sweep", onSchedule("* * * * *")),
};
