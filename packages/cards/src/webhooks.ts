import { setTimeout as pause } from "node:timers/promises";
import { Problem, errorText } from "@purser/core";
import { toProblem } from "@purser/platform";
import type { WebhookReceiver } from "@purser/platform/inbox";
import { recordAdvice, reverseLateApproval } from "./authorizations/service/advise.ts";
import { authorize } from "./authorizations/service/authorize.ts";
import { incrementHold } from "./authorizations/service/increment.ts";
import { settle } from "./authorizations/service/settle.ts";
import type { CardsPlatform } from "./context.ts";
import { cardMetrics } from "./metrics.ts";
import type { CardMessage, IssuerName, Verdict } from "./ports.ts";

/**
 * The webhook receivers of the configured issuers. The inbox calls `answer` for requests that wait for a verdict, and
 * `apply` for stored events.
 */
export function cardReceivers(platform: CardsPlatform): WebhookReceiver[] {
  const { issuers } = platform;
  return issuers.configured.map((issuer) => ({
    area: "cards",
    provider: issuer,
    async verify(body, headers, now) {
      return (await issuers.at(issuer)).webhooks.verify(body, headers, now);
    },
    async answer(event) {
      const { webhooks } = await issuers.at(issuer);
      if (!webhooks.isRequest(event.type)) return null;
      const [message] = webhooks.read(event);
      const measure = startMeasuring(platform, issuer, message);
      const verdict = message === undefined ? refused : await decideWithTimeout(platform, issuer, message);
      measure(verdict);
      return webhooks.answer(event, verdict);
    },
    async apply(event) {
      let status: "APPLIED" | "IGNORED" = "IGNORED";
      for (const message of (await issuers.at(issuer)).webhooks.read(event)) {
        const isApplied = await applyMessage(platform, issuer, message);
        if (isApplied) status = "APPLIED";
        const outcome = isApplied ? "applied" : "ignored";
        platform.meter.count(cardMetrics.messages, { issuer, kind: message.kind, outcome });
      }
      return status;
    },
  }));
}

const refused: Verdict = { approved: false, reason: null };

/** Networks decide by themselves after about two seconds. */
const decisionTimeoutMs = 1500;

/**
 * Returns the verdict on a request. A decision that takes too long or fails is a refusal: without a stored decision
 * nothing may be spent. If an approval is stored after the timeout, it is reversed.
 */
async function decideWithTimeout(
  platform: CardsPlatform,
  issuer: IssuerName,
  message: CardMessage,
): Promise<Verdict> {
  const decision = decideMessage(platform, issuer, message);
  const late = Promise.withResolvers<"late">();
  const timeout = setTimeout(late.resolve, decisionTimeoutMs, "late");
  try {
    const verdict = await Promise.race([decision, late.promise]);
    if (verdict !== "late") return verdict;
  } catch (error) {
    const { code } = toProblem(error);
    platform.logger.warn({ issuer, code, reason: errorText(error) }, "A decision on a card request failed");
    return refused;
  } finally {
    clearTimeout(timeout);
  }
  if (message.kind === "authorization" || message.kind === "increment")
    void reverseWhenLate(platform, issuer, message, decision);
  return { approved: false, reason: "decision_timed_out" };
}

/** The network waits for the answer, so a message that does not fit the purchase is refused with its problem code. */
async function decideMessage(
  platform: CardsPlatform,
  issuer: IssuerName,
  message: CardMessage,
): Promise<Verdict> {
  try {
    if (message.kind === "authorization") return (await authorize(platform, issuer, message)).verdict;
    if (message.kind === "increment") return (await incrementHold(platform, issuer, message)).verdict;
    if (message.kind === "advice") await recordAdvice(platform, issuer, message);
    else await settle(platform, issuer, message, { isRequest: true });
    return { approved: true, reason: null };
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    return { approved: false, reason: error.code.toLowerCase() };
  }
}

/** With a pause that grows to ten seconds, a quarter of an hour. */
const reverseAttempts = 100;

/**
 * Reverses an approval of a request that was refused for lateness. What delayed the decision may also delay this, and
 * a decision that failed may still have been stored, so it retries until the database answers.
 */
async function reverseWhenLate(
  platform: CardsPlatform,
  issuer: IssuerName,
  message: Parameters<typeof reverseLateApproval>[2],
  decision: Promise<Verdict>,
): Promise<void> {
  const isRefused = await decision.then(
    ({ approved }) => !approved,
    () => false,
  );
  if (isRefused) return;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await reverseLateApproval(platform, issuer, message);
      return;
    } catch (error) {
      if (attempt === reverseAttempts) {
        platform.logger.error({ issuer, reason: errorText(error) }, "A late approval could not be reversed");
        return;
      }
      await pause(Math.min(100 * 2 ** attempt, 10_000), undefined, { ref: false });
    }
  }
}

/** Starts the clock of one request. Call the returned function with the verdict. */
function startMeasuring(
  { meter }: Pick<CardsPlatform, "meter">,
  issuer: IssuerName,
  message: CardMessage | undefined,
): (verdict: Verdict) => void {
  const stopTimer = meter.time(cardMetrics.decisionDuration);
  return ({ approved, reason }) => {
    if (message !== undefined && message.kind !== "authorization" && message.kind !== "increment") {
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

/** Applies a stored message. Returns false if it changes nothing. The money has moved, so refunds and reversals adapt. */
async function applyMessage(
  platform: CardsPlatform,
  issuer: IssuerName,
  message: CardMessage,
): Promise<boolean> {
  try {
    if (message.kind === "authorization") await authorize(platform, issuer, message);
    else if (message.kind === "increment") await incrementHold(platform, issuer, message);
    else if (message.kind === "advice") return await recordAdvice(platform, issuer, message);
    else await settle(platform, issuer, message);
    return true;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    // A reversal of more than the hold releases all of it.
    if (error.code === "AMOUNT_EXCEEDS_HOLD" && message.kind === "reversal") {
      return applyMessage(platform, issuer, { ...message, amount: null });
    }
    // A refund lands even if it does not fit the purchase that it names.
    const isUnfit = ["TRANSACTION_FINAL", "TRANSACTION_NOT_SETTLED", "AMOUNT_EXCEEDS_CLEARED"].includes(
      error.code,
    );
    if (isUnfit && message.kind === "refund" && message.amount !== null && message.authorization !== null) {
      return applyMessage(platform, issuer, { ...message, authorization: null });
    }
    // The purchase has ended, or the card was not issued here.
    if (["TRANSACTION_FINAL", "CARD_NOT_FOUND"].includes(error.code)) return false;
    throw error;
  }
}
