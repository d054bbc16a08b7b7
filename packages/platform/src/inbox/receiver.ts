import type { WebhookArea, WebhookKey } from "./delivery.ts";

/** An event that is whole, recent, and from the provider. */
export interface VerifiedWebhook {
  outcome: "verified";
  /** The provider's id of the event, up to 255 characters. */
  eventId: string;
  type: string;
}

/** Why a request is not taken for an event. Nothing of it is stored. */
export interface RefusedWebhook {
  outcome: "refused";
  reason: "signature" | "time" | "malformed";
}

/** A stored event, as it is applied. */
export interface WebhookEvent extends WebhookKey {
  type: string;
  body: string;
  receivedAt: Date;
}

/** The raw HTTP answer to an event that waits for a verdict. */
export interface WebhookAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** How one provider's webhooks are believed and applied; every provider that has them implements it. */
export interface WebhookReceiver {
  readonly area: WebhookArea;
  readonly provider: string;
  /**
   * Checks signature and time on the raw bytes, before anything is parsed. It throws only where it cannot tell,
   * because the provider's keys cannot be had: then the event is not taken in, and its provider comes again.
   */
  verify(
    body: Buffer,
    headers: Headers,
    now: Date,
  ): VerifiedWebhook | RefusedWebhook | Promise<VerifiedWebhook | RefusedWebhook>;
  /**
   * Answers an event that waits for a verdict, in the HTTP answer that its provider expects; null for one that does
   * not wait. What is answered is put on record by whoever answers it, and does not go into the inbox.
   */
  answer?(event: Pick<WebhookEvent, "type" | "body">): Promise<WebhookAnswer | null>;
  /**
   * Brings our state to what the provider has now. Events come late, in any order, and this may run again after it
   * has succeeded: the effect has to bear that. Throws `PermanentFailure` when trying again is of no use.
   */
  apply(event: WebhookEvent): Promise<"APPLIED" | "IGNORED">;
}
