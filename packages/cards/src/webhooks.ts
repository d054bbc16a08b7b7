import { setTimeout as sleep } from "node:timers/promises";
import { Problem, errorText } from "@purser/core";
import { type Actor, toProblem, withTimeout } from "@purser/platform";
import type { WebhookEffect, WebhookReceiver } from "@purser/platform/inbox";
import { PermanentFailure } from "@purser/platform/jobs";
import { declineLate, recordAdvice, recordApproval } from "./authorizations/service/advise.ts";
import { authorizePurchase } from "./authorizations/service/authorize.ts";
import { incrementHold } from "./authorizations/service/increment.ts";
import { recordSettlement } from "./authorizations/service/settle.ts";
import type { CardsPlatform } from "./context.ts";
import { type LateRequest, cardJobs } from "./job-definitions.ts";
import { cardMetrics } from "./metrics.ts";
import type {
  AuthorizationResponse,
  CardMessage,
  CardMessageOf,
  IssuerEvent,
  IssuerName,
  IssuerWebhooks,
  RequestMessage,
  UnreadableRequest,
} from "./ports.ts";
import { recordIssuerRenewal } from "./service/issuer-renewal.ts";
import { recordIssuerStatus } from "./service/issuer-status.ts";

/**
 * The webhook receivers of the configured issuers. The inbox calls `answer` for each verified event, which returns null
 * unless the event is a request that waits for a decision, and `apply` for stored events. `actor` is the owner behind a
 * control of the sandbox, in whose name requests are recorded.
 */
export function cardReceivers(platform: CardsPlatform, actor: Actor = null): WebhookReceiver[] {
  const { issuers } = platform;
  return issuers.configured.map((issuer) => ({
    area: "cards",
    provider: issuer,
    async verify(body, headers, now) {
      return (await issuers.at(issuer)).webhooks.verify(body, headers, now);
    },
    async respond(event) {
      const { webhooks } = await issuers.at(issuer);
      if (!webhooks.isRequest(event.type)) return null;
      const request = webhooks.readRequest(event);
      // A credit to the cardholder: no limit applies to it.
      if (request === null) return webhooks.formatResponse(event, { approved: true, reason: null });
      if (request.kind === "unreadable") {
        reportUnreadable(platform, issuer, event.type, request);
        return webhooks.formatResponse(event, undecided);
      }
      const measure = startMeasuring(platform, issuer, request);
      const readEarlier = () => webhooks.readEarlier?.(event) ?? [];
      const response = await decideWithTimeout(platform, issuer, { message: request, readEarlier, actor });
      measure(response);
      return webhooks.formatResponse(event, response);
    },
    async apply(event) {
      const { webhooks } = await issuers.at(issuer);
      const isBlocked = reportBlocked(platform, issuer, webhooks, event);
      const isChanged = await applyToCard(platform, issuer, webhooks, event);
      let status: WebhookEffect = isBlocked || isChanged ? "APPLIED" : "IGNORED";
      for (const message of await webhooks.read(event)) {
        const isApplied = await applyMessage(platform, issuer, message);
        if (isApplied) status = "APPLIED";
        const outcome = isApplied ? "applied" : "ignored";
        platform.meter.count(cardMetrics.messages, { issuer, kind: message.kind, outcome });
      }
      return status;
    },
  }));
}

/** Records what an event says about a card itself. Returns false if nothing changes, as for a card not issued here. */
async function applyToCard(
  platform: CardsPlatform,
  issuer: IssuerName,
  webhooks: IssuerWebhooks,
  event: IssuerEvent,
): Promise<boolean> {
  const status = webhooks.readStatus(event);
  const renewal = webhooks.readRenewal?.(event) ?? null;
  try {
    if (status !== null) return await recordIssuerStatus(platform, issuer, status);
    return renewal !== null && (await recordIssuerRenewal(platform, issuer, renewal));
  } catch (error) {
    if (error instanceof Problem && error.code === "CARD_NOT_FOUND") return false;
    throw error;
  }
}

/**
 * Reports a cardholder whom the issuer has blocked. The cards stay as they are, because only the issuer knows when it accepts
 * the person again: an operator asks there. Returns false for any other event.
 */
function reportBlocked(
  { logger, meter }: Pick<CardsPlatform, "logger" | "meter">,
  issuer: IssuerName,
  webhooks: IssuerWebhooks,
  event: IssuerEvent,
): boolean {
  const blocked = webhooks.readBlockedCardholder?.(event) ?? null;
  if (blocked === null) return false;
  logger.warn({ issuer, ...blocked }, "An issuer has blocked a cardholder, and declines all their purchases");
  meter.count(cardMetrics.blockedCardholders, { issuer });
  return true;
}

/** An unreadable request is declined. Without a report, a change at the issuer would decline purchases unnoticed. */
function reportUnreadable(
  { logger, meter }: Pick<CardsPlatform, "logger" | "meter">,
  issuer: IssuerName,
  type: string,
  { issues }: UnreadableRequest,
): void {
  logger.error({ issuer, type, issues }, "A card request cannot be read, and is declined");
  meter.count(cardMetrics.unreadableRequests, { issuer });
}

const undecided: AuthorizationResponse = { approved: false, reason: null };

/**
 * Networks decide without us after about two seconds. The answer leaves within 1.5 seconds: a late decision is given up
 * early enough that the job which takes it back can still be enqueued, see {@link enqueueMs}.
 */
const defaultDecisionTimeoutMs = 1200;

/** A request that the network waits for. */
interface ReceivedRequest {
  message: CardMessage;
  /** See `IssuerWebhooks.readEarlier`. */
  readEarlier: () => CardMessageOf<"advice">[];
  actor: Actor;
}

/**
 * Decides on a request. If that takes too long or fails, the request is declined: without a stored decision nothing may
 * be spent. An approval that was stored anyway is reversed.
 */
async function decideWithTimeout(
  platform: CardsPlatform,
  issuer: IssuerName,
  request: ReceivedRequest,
): Promise<AuthorizationResponse> {
  const decision = decideMessage(platform, issuer, request);
  try {
    const response = await withTimeout(decision, platform.decisionTimeoutMs ?? defaultDecisionTimeoutMs);
    if (response !== undefined) return response;
  } catch (error) {
    const { code } = toProblem(error);
    platform.logger.warn({ issuer, code, reason: errorText(error) }, "A decision on a card request failed");
    // A problem stored nothing. After any other error, such as a lost connection, the decision may be stored.
    if (error instanceof Problem) return undecided;
  }
  await reverseLateApproval(platform, issuer, request.message);
  // The reason under which the decline is stored. It is final: a repeat of this request is declined too.
  return { approved: false, reason: "decision_timed_out" };
}

/** The network waits for the answer, so a message that does not fit the purchase is refused with its problem code. */
async function decideMessage(
  platform: CardsPlatform,
  issuer: IssuerName,
  { message, readEarlier, actor }: ReceivedRequest,
): Promise<AuthorizationResponse> {
  try {
    if (message.kind === "authorization")
      return (await authorizePurchase(platform, issuer, message, actor)).response;
    if (message.kind === "increment") {
      const decide = () => incrementHold(platform, issuer, message, actor);
      const { response } = await decide().catch(async (error: unknown) => {
        const earlier = hasNoOpenHold(error) ? readEarlier() : [];
        if (earlier.length === 0) throw error;
        for (const advice of earlier) await recordAdvice(platform, issuer, advice);
        return decide();
      });
      return response;
    }
    // Only the sandbox's network asks like this. Issuers report these as events.
    if (message.kind === "advice") await recordAdvice(platform, issuer, message);
    else if (message.kind === "approval") await recordApproval(platform, issuer, message);
    else await recordSettlement(platform, issuer, message, { isRequest: true, actor });
    return { approved: true, reason: null };
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    return { approved: false, reason: error.code.toLowerCase() };
  }
}

/**
 * Whether an increment finds no hold to add to. The issuer may have approved the purchase without us, or against our decline,
 * and not have reported it yet.
 */
const hasNoOpenHold = (error: unknown) =>
  error instanceof Problem && ["CARD_TRANSACTION_NOT_FOUND", "TRANSACTION_FINAL"].includes(error.code);

/** The network waits at most this long for the job that takes back an approval. */
const enqueueMs = 250;

/** About 15 minutes, because the pause doubles up to 10 seconds. */
const enqueueAttempts = 100;

/**
 * Takes back what a refused request may have stored. A job does it, so it also happens if this process dies; this only
 * tries to be faster. What delayed the decision may also delay the job, so enqueueing is retried until the database
 * answers. Should the process die before that, the issuer's own report of the decline takes the approval back.
 */
async function reverseLateApproval(
  platform: CardsPlatform,
  issuer: IssuerName,
  message: CardMessage,
): Promise<void> {
  if (message.kind !== "authorization" && message.kind !== "increment") return;
  const enqueued = enqueueDecline(platform, issuer, message);
  void enqueued.then(() => declineLate(platform, issuer, message)).catch(() => undefined);
  await withTimeout(
    enqueued.catch(() => undefined),
    enqueueMs,
  );
}

async function enqueueDecline(
  { db, outbox, logger }: CardsPlatform,
  issuer: IssuerName,
  message: RequestMessage,
): Promise<void> {
  const job = JSON.parse(JSON.stringify({ issuer, message })) as LateRequest;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await db.transaction((transaction) => outbox.enqueue(transaction, cardJobs.declineLate, job));
      return;
    } catch (error) {
      if (attempt === enqueueAttempts) {
        logger.error({ issuer, reason: errorText(error) }, "A late approval could not be taken back");
        throw error;
      }
      await sleep(Math.min(100 * 2 ** attempt, 10_000), undefined, { ref: false });
    }
  }
}

/** Starts the clock of one request. Call the returned function with the response. */
function startMeasuring(
  { meter }: Pick<CardsPlatform, "meter">,
  issuer: IssuerName,
  message: CardMessage,
): (response: AuthorizationResponse) => void {
  const stopTimer = meter.time(cardMetrics.decisionDuration);
  return ({ approved, reason }) => {
    if (message.kind !== "authorization" && message.kind !== "increment") {
      const outcome = approved ? "applied" : "refused";
      meter.count(cardMetrics.messages, { issuer, kind: message.kind, outcome });
      return;
    }
    stopTimer({ issuer });
    const decision = approved
      ? { outcome: "approved", reason: "none" }
      : // Only a request without a decision is refused without a reason.
        { outcome: "declined", reason: reason ?? "undecided" };
    meter.count(cardMetrics.decisions, { issuer, ...decision });
  };
}

/** Applies a stored message. Returns false if it changes nothing. The money has moved, so reversals adapt. */
async function applyMessage(
  platform: CardsPlatform,
  issuer: IssuerName,
  message: CardMessage,
): Promise<boolean> {
  try {
    if (message.kind === "authorization") await authorizePurchase(platform, issuer, message);
    else if (message.kind === "increment") await incrementHold(platform, issuer, message);
    else if (message.kind === "advice") return await recordAdvice(platform, issuer, message);
    else if (message.kind === "approval") return await recordApproval(platform, issuer, message);
    else await recordSettlement(platform, issuer, message);
    return true;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    // A reversal of more than the hold releases all of it.
    if (error.code === "AMOUNT_EXCEEDS_HOLD" && message.kind === "reversal") {
      return applyMessage(platform, issuer, { ...message, amount: null });
    }
    // The purchase has ended, or the card was not issued here.
    if (["TRANSACTION_FINAL", "CARD_NOT_FOUND"].includes(error.code)) return false;
    // A card has one currency, so only an operator can decide what the amount means.
    if (error.code === "CURRENCY_NOT_SUPPORTED") throw new PermanentFailure(error.message);
    throw error;
  }
}
