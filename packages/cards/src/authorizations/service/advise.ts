import { Problem, newId } from "@purser/core";
import type { Transaction } from "@purser/db";
import { type Platform, retryTransaction } from "@purser/platform";
import type { AdvisedVerdict, CardMessage, HoldRequest, IssuerName } from "../../ports.ts";
import { advisedDecision } from "../rules/decide.ts";
import { reverseHold } from "../rules/settle.ts";
import { windowsAt } from "../rules/windows.ts";
import type { TransactionRow } from "../store/decide.ts";
import { type StoredMessage, adviceOf, findByMessage, withdrawalOf } from "../store/decision-context.ts";
import {
  addToCounters,
  findAuthorized,
  insertEventRow,
  insertTransactionRow,
  lockReferencedCard,
  readTimeZone,
  updateTransactionRow,
} from "../store/settle.ts";
import { newTransactionRow } from "./authorize.ts";

type AdviceMessage = Extract<CardMessage, { kind: "advice" }>;
type Authorization = Extract<HoldRequest, { kind: "authorization" }>;
type Increment = Extract<HoldRequest, { kind: "increment" }>;

/**
 * Records what the network decided on a request without us, or against our answer. The network has the last word: an
 * approval of ours that it did not carry out is withdrawn, and what it approved by itself is held whatever the limits
 * say, because the merchant can clear it. The message may arrive before our own decision is on record, or after; a
 * repeated one changes nothing. Returns false if nothing changes. Throws CARD_NOT_FOUND.
 */
export async function recordAdvice(
  { db, clock }: Pick<Platform, "db" | "clock">,
  issuer: IssuerName,
  message: AdviceMessage,
): Promise<boolean> {
  return retryTransaction(() =>
    db.transaction(async (transaction) => {
      const card = await lockReferencedCard(transaction, { issuer, reference: message.card });
      if (card === undefined) throw new Problem("CARD_NOT_FOUND");
      const stored = await findByMessage(transaction, card, message.networkId);
      if (stored?.advised) return false;
      const step = { transaction, card, message, now: clock.now() };
      const outcome = stored?.withdrawn ? "declined" : stored?.event.decision?.["outcome"];
      const { verdict } = message;
      if (stored !== undefined && outcome === "approved") {
        return verdict.approved
          ? confirmApproval(step, stored)
          : reverseApproval(transaction, stored, verdict.reason, step.now);
      }
      if (stored !== undefined && (outcome !== "declined" || !verdict.approved)) return false;
      return recordNetworkDecision(step);
    }),
  );
}

interface Step {
  transaction: Transaction;
  /** Locked. */
  card: { organizationId: string; id: string };
  message: AdviceMessage;
  now: Date;
}

/** Records that our approval stands, so that `reverseLateApproval` does not withdraw it. */
async function confirmApproval(step: Step, { transaction: row }: StoredMessage): Promise<boolean> {
  if (row.status !== "PENDING") return false;
  await recordEvent(step, row, { kind: "INCREMENT", amount: 0, counted: 0 });
  return true;
}

async function recordNetworkDecision(step: Step): Promise<boolean> {
  const { request } = step.message;
  const existing = await findAuthorized(step.transaction, step.card, request.authorization);
  return request.kind === "authorization"
    ? recordAuthorization(step, request, existing)
    : recordIncrement(step, request, existing);
}

async function recordAuthorization(
  step: Step,
  request: Authorization,
  existing: TransactionRow | undefined,
): Promise<boolean> {
  const { transaction, card, message, now } = step;
  const { approved } = message.verdict;
  if (existing !== undefined) {
    // The purchase is already held or cleared.
    if (!approved || existing.status !== "DECLINED") return false;
    // DECLINED is final. Later messages are about the purchase that the network approved, so that row gets the name.
    await updateTransactionRow(transaction, existing, { authorizationReference: null });
  }
  const windows = windowsAt(message.at, await readTimeZone(transaction, card.organizationId));
  const row = newTransactionRow(card, { ...message, ...request }, { ...message.verdict, windows, now });
  await insertTransactionRow(transaction, row);
  await addToCounters(transaction, card, windows, row.held);
  await recordEvent(step, row, { kind: "AUTHORIZATION", amount: row.amount, counted: row.held });
  return true;
}

async function recordIncrement(
  step: Step,
  { amount }: Increment,
  row: TransactionRow | undefined,
): Promise<boolean> {
  const { transaction, card, message } = step;
  if (row?.status !== "PENDING") return false;
  const counted = message.verdict.approved ? amount : 0;
  await updateTransactionRow(transaction, row, {
    authorized: row.authorized + counted,
    held: row.held + counted,
    amount: row.amount + counted,
  });
  await addToCounters(transaction, card, windowsAt(new Date(row.localDay), "UTC"), counted);
  await recordEvent(step, row, { kind: "INCREMENT", amount, counted });
  return true;
}

async function recordEvent(
  { transaction, message: { networkId, verdict }, now }: Step,
  { organizationId, cardId, id: transactionId }: TransactionRow,
  effect: { kind: "AUTHORIZATION" | "INCREMENT"; amount: number; counted: number },
): Promise<void> {
  await insertEventRow(transaction, {
    ...effect,
    organizationId,
    id: newId("cev", now),
    cardId,
    transactionId,
    networkId: adviceOf(networkId),
    final: null,
    decision: advisedDecision(verdict, now),
    createdAt: now,
  });
}

/**
 * Withdraws an approval that was decided after the network had been refused for lateness. If the network has since
 * reported its own decision, that one stands (see `recordAdvice`).
 */
export async function reverseLateApproval(
  { db, clock }: Pick<Platform, "db" | "clock">,
  issuer: IssuerName,
  message: Extract<CardMessage, { kind: "authorization" | "increment" }>,
): Promise<void> {
  await retryTransaction(() =>
    db.transaction(async (transaction) => {
      const card = await lockReferencedCard(transaction, { issuer, reference: message.card });
      const stored = card && (await findByMessage(transaction, card, message.networkId));
      if (stored === undefined || stored.withdrawn || stored.advised) return;
      await reverseApproval(transaction, stored, "decision_timed_out", clock.now());
    }),
  );
}

/**
 * Releases what an approval still holds, in the windows where it counts. Returns false if the purchase has ended
 * already. The caller holds the card's lock.
 */
async function reverseApproval(
  transaction: Transaction,
  { event, transaction: row }: StoredMessage,
  reason: Exclude<AdvisedVerdict["reason"], null>,
  now: Date,
): Promise<boolean> {
  const effect = reverseHold(row, Math.min(event.counted, row.held), now, reason);
  if ("refused" in effect) return false;
  const { organizationId, cardId, id: transactionId } = row;
  const windows = windowsAt(new Date(row.localDay), "UTC");
  await updateTransactionRow(transaction, row, effect.after);
  await addToCounters(transaction, { organizationId, id: cardId }, windows, effect.counted);
  await insertEventRow(transaction, {
    organizationId,
    id: newId("cev", now),
    cardId,
    transactionId,
    kind: "REVERSAL",
    networkId: withdrawalOf(event.networkId),
    amount: effect.amount,
    counted: effect.counted,
    final: null,
    decision: advisedDecision({ approved: false, reason }, now),
    createdAt: now,
  });
  return true;
}
