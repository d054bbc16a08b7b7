import type { Transaction, inboxEvents } from "@purser/db";

export type WebhookArea = (typeof inboxEvents.$inferSelect)["area"];

/** Identifies one event. Providers repeat events, and their event ids are unique only within one provider. */
export interface WebhookKey {
  area: WebhookArea;
  provider: string;
  eventId: string;
}

/** An event that is complete, recent, and signed by the provider. */
export interface VerifiedWebhook {
  outcome: "verified";
  /** The provider's id of the event, up to 255 characters. */
  eventId: string;
  type: string;
}

/** Why a request is refused. Nothing of a refused request is stored. */
export interface RefusedWebhook {
  outcome: "refused";
  reason: "signature" | "time" | "malformed";
}

/** A stored event, as a receiver applies it. */
export interface WebhookEvent extends WebhookKey {
  type: string;
  body: string;
  receivedAt: Date;
}

/** The HTTP response to an event whose provider waits for a decision. */
export interface WebhookResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** What an event did: it changed something, or it concerns nothing here. */
export type WebhookEffect = "APPLIED" | "IGNORED";

/**
 * Verifies and applies one provider's webhooks. Each area makes one receiver per configured provider.
 *
 * An event is handled in one of three ways: `respond` decides it at once and nothing is stored; `applyOnReceipt` applies it in
 * the transaction that stores it; otherwise the provider's job (`webhookJobs`) calls `apply`, with retries.
 */
export interface WebhookReceiver {
  readonly area: WebhookArea;
  readonly provider: string;
  /**
   * Checks signature and time on the raw bytes, before anything is parsed. Throws only if the provider's keys cannot
   * be read: the event is then not accepted, and the provider sends it again. `sender` is the network that the request came
   * from, to limit what a single one can cost.
   */
  verify(
    body: Buffer,
    headers: Headers,
    now: Date,
    sender?: string,
  ): VerifiedWebhook | RefusedWebhook | Promise<VerifiedWebhook | RefusedWebhook>;
  /**
   * Answers an event whose provider waits for a decision, in the HTTP response that this provider expects. Returns
   * null for any other event. The implementation records its decisions: an answered event is not stored.
   */
  respond?(event: Pick<WebhookEvent, "type" | "body" | "receivedAt">): Promise<WebhookResponse | null>;
  /**
   * Applies an event in the transaction that stores it, so that the event needs no job. Implement it where the effect
   * is a few row changes and enqueued jobs. It must not call a provider. If it throws, the event is not stored, and
   * the provider sends it again. A replayed event goes through `apply`.
   */
  applyOnReceipt?(transaction: Transaction, event: WebhookEvent): Promise<WebhookEffect>;
  /**
   * Brings our state to what the provider has now. Events arrive late and in any order, and a call may be repeated
   * after it succeeded, so the effect must be idempotent. Throws `PermanentFailure` when a retry cannot succeed.
   */
  apply(event: WebhookEvent): Promise<WebhookEffect>;
}

/** A webhook event of a built-in provider. */
export interface SandboxEvent {
  id: string;
  type: string;
  /** Each provider has its own format. */
  data: Record<string, unknown>;
}

/** The payload of the job that delivers a built-in provider's event to its receiver. */
export interface SandboxWebhook {
  area: WebhookArea;
  /** Default `sandbox`; in billing it is `local`. */
  provider?: string;
  event: SandboxEvent;
}
