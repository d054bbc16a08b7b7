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

/** Reads the request of a job, as it was before its instants became text. */
export function parseLateRequest(message: LateRequest["message"]): RequestMessage {
  const at = new Date(message.at);
  const receivedAt = message.receivedAt === undefined ? undefined : new Date(message.receivedAt);
  if (message.kind === "increment") return { ...message, at, receivedAt };
  const expiresAt = message.expiresAt === null ? null : new Date(message.expiresAt);
  return { ...message, at, receivedAt, expiresAt };
}

/** Tries again for some hours, at first after this pause. */
const retryPolicy = (pauseSeconds: number) => ({ retries: 15, pauseSeconds, longestPauseSeconds: 60 * 60 });

/** The jobs of cards. */
export const cardJobs = {
  /** Updates the issuer's status. Decisions use the new status at once, even while the issuer is down. */
  status: defineJob<{ organizationId: string; cardId: string }>("cards.status", retryPolicy(2)),
  /** Names the new holder to the issuer. */
  setCardholder: defineJob<{ organizationId: string; cardId: string }>("cards.holder", retryPolicy(2)),
  /** Sends changed details of a cardholder to the issuers of their cards. It reads them itself: they are in no payload. */
  updateCardholder: defineJob<{ organizationId: string; userId: string }>(
    "cards.cardholder",
    retryPolicy(10),
  ),
  declineLate: defineJob<LateRequest>("cards.decline-late", retryPolicy(2)),
  abandon: defineJob<AbandonedCard>("cards.abandon", retryPolicy(10)),
  /** Enqueues a recount of each card after a change of the organization's time zone. */
  recountAll: defineJob<{ organizationId: string; after: string | null }>("cards.recountAll", retryPolicy(1)),
  recount: defineJob<{ organizationId: string; cardId: string }>("cards.recount", retryPolicy(1)),
  sweep: defineJob<null>("cards.sweep", onSchedule("* * * * *")),
};
