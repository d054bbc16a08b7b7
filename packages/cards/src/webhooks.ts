import { setTimeout as pause } from "node:timers/promises";
import { Problem, errorText } from "@purser/core";
import type { CardsPlatform } from "./context.ts";
import type { WebhookReceiver } from "@purser/platform/inbox";
import { toProblem } from "@purser/platform";
import { advise } from "./authorizations/service/advise.ts";
import { authorize } from "./authorizations/service/authorize.ts";
import { increment } from "./authorizations/service/increment.ts";
import { reverseLateApproval } from "./authorizations/service/reverse-late-approval.ts";
import { settle } from "./authorizations/service/settle.ts";
import { cardMetrics } from "./metrics.ts";
import type { CardMessage, IssuerName, Verdict } from "./ports.ts";
import { measureVerdict } from "./measure.ts";

/** Networks wait about two seconds, and then decide by themselves. */
const patienceMs = 1500;

/** The issuers' webhooks: requests that wait for a verdict, and what is told afterwards. */
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
      const measured = measureVerdict(platform, issuer, message);
      const verdict = message === undefined ? refused : await decideWithTimeout(platform, issuer, message);
      measured(verdict);
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

/**
 * The verdict on a request. One that takes too long is refused, and so is one that cannot be made: what nobody has
 * decided on must not be spent. An approval that comes too late to be told is taken back.
 */
async function decideWithTimeout(
  platform: CardsPlatform,
  issuer: IssuerName,
  message: CardMessage,
): Promise<Verdict> {
  const deciding = decide(platform, issuer, message);
  const late = Promise.withResolvers<"late">();
  const timeout = setTimeout(late.resolve, patienceMs, "late");
  try {
    const verdict = await Promise.race([deciding, late.promise]);
    if (verdict !== "late") return verdict;
  } catch (error) {
    const { code } = toProblem(error);
    platform.logger.warn(
      { issuer, code, reason: errorText(error) },
      "A card request could not be decided on",
    );
    return refused;
  } finally {
    clearTimeout(timeout);
  }
  if (message.kind === "authorization" || message.kind === "increment")
    void reverseWhenLate(platform, issuer, message, deciding);
  return { approved: false, reason: "decision_timed_out" };
}

/** With a pause that grows to ten seconds this is a quarter of an hour. */
const takeBackAttempts = 100;

/**
 * Takes back what comes of a request that was refused for its lateness. What has kept the decision waiting may keep this
 * from being done as well, and whether a decision that broke off is on record, nobody knows: so it is tried until the
 * database has told.
 */
async function reverseWhenLate(
  platform: CardsPlatform,
  issuer: IssuerName,
  message: Parameters<typeof reverseLateApproval>[2],
  deciding: Promise<Verdict>,
): Promise<void> {
  const isRefused = await deciding.then(
    ({ approved }) => !approved,
    () => false,
  );
  if (isRefused) return;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await reverseLateApproval(platform, issuer, message);
      return;
    } catch (error) {
      if (attempt === takeBackAttempts) {
        platform.logger.error({ issuer, reason: errorText(error) }, "A late approval stands");
        return;
      }
      await pause(Math.min(100 * 2 ** attempt, 10_000), undefined, { ref: false });
    }
  }
}

/** Whoever waits for the answer is told what cannot be, instead of having it made fit as what is only told. */
async function decide(platform: CardsPlatform, issuer: IssuerName, message: CardMessage): Promise<Verdict> {
  try {
    if (message.kind === "authorization") return (await authorize(platform, issuer, message)).verdict;
    if (message.kind === "increment") return (await increment(platform, issuer, message)).verdict;
    if (message.kind === "advice") await advise(platform, issuer, message);
    else await settle(platform, issuer, message, { isAsked: true });
    return { approved: true, reason: null };
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    return { approved: false, reason: error.code.toLowerCase() };
  }
}

/** Keeps what an issuer tells; false where it changes nothing any more. */
async function applyMessage(
  platform: CardsPlatform,
  issuer: IssuerName,
  message: CardMessage,
): Promise<boolean> {
  try {
    if (message.kind === "authorization") await authorize(platform, issuer, message);
    else if (message.kind === "increment") await increment(platform, issuer, message);
    else if (message.kind === "advice") return await advise(platform, issuer, message);
    else await settle(platform, issuer, message);
    return true;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    // More is given back than is held: then it is all of it.
    if (error.code === "AMOUNT_EXCEEDS_HOLD" && message.kind === "reversal") {
      return applyMessage(platform, issuer, { ...message, amount: null });
    }
    // Money that has come back is here, whatever is known of the purchase that it was spent on.
    const isUnfit = ["TRANSACTION_FINAL", "TRANSACTION_NOT_SETTLED", "AMOUNT_EXCEEDS_CLEARED"].includes(
      error.code,
    );
    if (isUnfit && message.kind === "refund" && message.amount !== null && message.authorization !== null) {
      return applyMessage(platform, issuer, { ...message, authorization: null });
    }
    // It is over already, or concerns a card that was not issued here.
    if (["TRANSACTION_FINAL", "CARD_NOT_FOUND"].includes(error.code)) return false;
    throw error;
  }
}
