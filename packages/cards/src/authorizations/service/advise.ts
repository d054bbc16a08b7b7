import { Problem } from "@purser/core";
import type { Transaction } from "@purser/db";
import type { Platform } from "@purser/platform";
import type { EventPlatform } from "@purser/platform/events";
import type { CardMessageOf, HoldRequest, IssuerName, RequestMessage } from "../../ports.ts";
import { type AdvisedDecision, resolveNetworkDecision, advisedDecision } from "../rules/advised-decision.ts";
import { holderAt } from "../rules/holder-at.ts";
import { allowsNewPurchase, endedWithoutMoney, reverseHold } from "../rules/holds.ts";
import { adviceOf, withdrawalOf } from "../rules/network-ids.ts";
import { windowsAt } from "../rules/windows.ts";
import type { LedgerEntry, TransactionRow } from "../store/purchase-rows.ts";
import { findAuthorized, readAuthorizedTotal, retireReference } from "../store/transactions.ts";
import { inLockQueue } from "./lock-queue.ts";
import {
  type RecordingStep,
  newLedgerEntry,
  newTransactionRow,
  recordEntry,
  recordNew,
  recordUpdate,
} from "./record.ts";
import {
  type StoredMessage,
  findByMessage,
  findReceivedAt,
  findRepeatedRequest,
} from "./recorded-messages.ts";

type AdviceMessage = CardMessageOf<"advice">;
/** An advice with the reason that is recorded. */
type RecordedAdvice = Omit<AdviceMessage, "decision"> & { decision: AdvisedDecision };
type Authorization = Extract<HoldRequest, { kind: "authorization" }>;
type Increment = Extract<HoldRequest, { kind: "increment" }>;

/**
 * Records what the network decided on a request without us, or against our answer. The network overrides our decision: an
 * approval of ours that it did not carry out is withdrawn, and what it approved itself is held beyond any limit,
 * because the merchant can clear it. The message may arrive before our own decision is on record, or after; a
 * repeated one changes nothing. Returns false if nothing changes. Throws CARD_NOT_FOUND.
 */
export async function recordAdvice(
  platform: EventPlatform & Pick<Platform, "db" | "nodes">,
  issuer: IssuerName,
  message: AdviceMessage,
): Promise<boolean> {
  return inLockQueue(platform, { issuer, reference: message.card }, async (transaction, card) => {
    if (card === undefined) throw new Problem("CARD_NOT_FOUND");
    const stored = await findRequest(transaction, card, message);
    if (stored?.advised) return false;
    const decision = resolveNetworkDecision(
      message.decision,
      card,
      windowsAt(message.at, card.timeZone).month,
    );
    const advice = { ...message, decision };
    const step = { platform, actor: null, transaction, card, message: advice, now: platform.clock.now() };
    const outcome = stored?.withdrawn ? "declined" : stored?.entry.decision?.outcome;
    if (stored !== undefined && outcome === "approved") {
      return decision.approved
        ? confirmApproval(step, stored)
        : reverseApproval(step, stored, decision.reason);
    }
    if (stored !== undefined && (outcome !== "declined" || !decision.approved)) return false;
    return recordNetworkDecision(step);
  });
}

/** Finds what became of a request, under any of its ids. Another request may have the first one, but not its exact id. */
async function findRequest(
  transaction: Transaction,
  card: CardStep["card"],
  { networkId, otherIds = [], at }: AdviceMessage,
): Promise<StoredMessage | undefined> {
  const found = [await findByMessage(transaction, card, networkId)];
  for (const id of otherIds)
    found.push((await findReceivedAt(transaction, card, { networkId: id }, at)).first);
  const known = found.filter((stored) => stored !== undefined);
  return known.find(({ exactId }) => otherIds.some((id) => id === exactId)) ?? known[0];
}

/**
 * Holds what the network has approved under an authorization beyond what is on record: requests that never reached us.
 * Compares totals, because not every network gives its requests ids. Records an unknown verification of the card too.
 * Returns false if nothing changes. Throws CARD_NOT_FOUND.
 */
export async function recordApproval(
  platform: EventPlatform & Pick<Platform, "db" | "nodes">,
  issuer: IssuerName,
  { request, approved, ...message }: CardMessageOf<"approval">,
): Promise<boolean> {
  return inLockQueue(platform, { issuer, reference: message.card }, async (transaction, card) => {
    if (card === undefined) throw new Problem("CARD_NOT_FOUND");
    const missing = approved - (await readAuthorizedTotal(transaction, card, request.authorization));
    const existing = await findAuthorized(transaction, card, request.authorization);
    const known = await findByMessage(transaction, card, message.networkId);
    // A verification of the card approves nothing, but later messages are about it.
    const isVerification = missing === 0 && existing === undefined && known === undefined;
    if (missing <= 0 && !isVerification) return false;
    // The total of a request grows if an earlier one becomes known later.
    const networkId = known?.advised ? `${message.networkId}:${approved}` : message.networkId;
    const decision = { approved: true, reason: null } as const;
    const advice: RecordedAdvice = { ...message, networkId, kind: "advice", request, decision };
    const now = platform.clock.now();
    const step = { platform, actor: null, transaction, card, message: advice, now };
    if (existing?.status === "PENDING") {
      return recordIncrement(step, { ...request, kind: "increment", amount: missing }, existing);
    }
    // A cleared purchase has already counted what the merchant took.
    if (existing && !endedWithoutMoney(existing)) return false;
    return recordAuthorization(step, { ...request, amount: missing }, existing);
  });
}

interface CardStep extends RecordingStep {
  card: RecordingStep["card"] & { assignedAt: Date | null; timeZone: string };
}

interface AdviceStep extends CardStep {
  message: RecordedAdvice;
}

/**
 * Records that the network confirmed our approval, so that `declineLate` does not withdraw it. If we approved only a part,
 * the network approved the rest itself: it does not report a part that it left unchanged.
 */
async function confirmApproval(
  step: AdviceStep,
  { entry, transaction: row }: StoredMessage,
): Promise<boolean> {
  if (row.status !== "PENDING") return false;
  const amount = step.message.request.amount - entry.counted;
  return recordIncrement(step, { kind: "increment", authorization: "", amount: Math.max(0, amount) }, row);
}

async function recordNetworkDecision(step: AdviceStep): Promise<boolean> {
  const { request } = step.message;
  const existing = await findAuthorized(step.transaction, step.card, request.authorization);
  return request.kind === "authorization"
    ? recordAuthorization(step, request, existing)
    : recordIncrement(step, request, existing);
}

async function recordAuthorization(
  step: AdviceStep,
  request: Authorization,
  existing: TransactionRow | undefined,
): Promise<boolean> {
  const { transaction, card, message, now } = step;
  if (existing !== undefined) {
    const { approved } = message.decision;
    const isHeld = existing.status === "PENDING";
    // A network repeats its requests with every update, so a decline may be older than the purchase.
    if (!approved && message.at < newestKnown(existing)) return false;
    if (!approved && isHeld) return recordIncrement(step, { ...request, kind: "increment" }, existing);
    // The purchase is already held or cleared.
    if (!(approved ? endedWithoutMoney : allowsNewPurchase)(existing)) return false;
  }
  // What has ended is final. Later messages are about the purchase that the network decided.
  if (existing !== undefined) await retireReference(transaction, existing);
  const windows = windowsAt(message.at, card.timeZone);
  const holder = { ...card, holderId: holderAt(card, message.at) };
  const row = newTransactionRow(holder, { ...message, ...request }, { ...message.decision, windows, now });
  const entry = adviceEntry(step, row, { kind: "AUTHORIZATION", amount: row.amount, counted: row.held });
  await recordNew(step, row, entry);
  return true;
}

/** A request after this instant is a later one. The network may date a purchase by an earlier request of its authorization. */
function newestKnown({ status, authorized, createdAt, purchasedAt, settledAt }: TransactionRow): Date {
  if (status === "PENDING") return createdAt;
  return status === "COMPLETED" && authorized > 0 ? (settledAt ?? createdAt) : purchasedAt;
}

async function recordIncrement(
  step: AdviceStep,
  { amount }: Increment,
  row: TransactionRow | undefined,
): Promise<boolean> {
  if (row?.status !== "PENDING") return false;
  const counted = step.message.decision.approved ? amount : 0;
  const change = {
    authorized: row.authorized + counted,
    held: row.held + counted,
    amount: row.amount + counted,
  };
  await recordUpdate(step, row, change, adviceEntry(step, row, { kind: "INCREMENT", amount, counted }));
  return true;
}

function adviceEntry(
  { message: { networkId, decision }, now }: AdviceStep,
  row: TransactionRow,
  effect: { kind: "AUTHORIZATION" | "INCREMENT"; amount: number; counted: number },
): LedgerEntry {
  const advised = { networkId: adviceOf(networkId), decision: advisedDecision(decision, now) };
  return newLedgerEntry(row, { ...effect, ...advised }, now);
}

/**
 * Declines a request that the network was refused: for lateness, or because the decision failed. Withdraws an approval that
 * is on record. If nothing is on record, stores the decline, so that a decision still in progress cannot store an approval.
 * If the network has since reported its own decision, that one applies (see `recordAdvice`).
 */
export async function declineLate(
  platform: EventPlatform & Pick<Platform, "db" | "nodes">,
  issuer: IssuerName,
  received: RequestMessage,
): Promise<void> {
  await inLockQueue(platform, { issuer, reference: received.card }, async (transaction, card) => {
    if (card === undefined) return;
    const step = { platform, actor: null, transaction, card, now: platform.clock.now() };
    const { message, first: stored } = await findRepeatedRequest(transaction, card, received);
    if (stored === undefined) await storeLateDecline(step, message);
    else if (!stored.withdrawn && !stored.advised) await reverseApproval(step, stored, timedOut.reason);
  });
}

const timedOut = { approved: false, reason: "decision_timed_out" } as const;

async function storeLateDecline(step: CardStep, message: RequestMessage): Promise<void> {
  const { transaction, card, now } = step;
  const existing = await findAuthorized(transaction, card, message.authorization);
  const isFree = existing === undefined || allowsNewPurchase(existing);
  const isNew = isFree && message.kind === "authorization";
  if (existing === undefined && !isNew) return;
  if (existing !== undefined && isNew) await retireReference(transaction, existing);
  const windows = windowsAt(message.at, card.timeZone);
  // All requests of a transaction may have the time of its first one.
  const holder = { ...card, holderId: holderAt(card, message.receivedAt ?? message.at) };
  const row = isNew ? newTransactionRow(holder, message, { ...timedOut, windows, now }) : existing!;
  const kind = isNew ? "AUTHORIZATION" : "INCREMENT";
  const { networkId, exactId, receivedAt, amount } = message;
  const decision = { ...advisedDecision(timedOut, now), exactId, receivedAt };
  const entry = newLedgerEntry(row, { kind, networkId, amount, counted: 0, decision }, now);
  if (isNew) await recordNew(step, row, entry);
  else await recordEntry(step, { entry, transaction: row });
}

/**
 * Releases what an approval still holds, in the windows where it counts. Returns false if the purchase has ended
 * already. The caller holds the card's lock.
 */
async function reverseApproval(
  step: CardStep,
  { entry: approval, transaction: row }: StoredMessage,
  reason: Exclude<AdvisedDecision["reason"], null>,
): Promise<boolean> {
  const { now } = step;
  const effect = reverseHold(row, Math.min(approval.counted, row.held), now, reason);
  if ("refused" in effect) return false;
  // Not approved by the network, so its reports of what it has approved do not contain it.
  const withdrawn = { ...effect.after, authorized: row.authorized - effect.amount };
  const { amount, counted } = effect;
  const networkId = withdrawalOf(approval.networkId);
  const decision = advisedDecision({ approved: false, reason }, now);
  const entry = newLedgerEntry(row, { kind: "REVERSAL", networkId, amount, counted, decision }, now);
  await recordUpdate(step, row, withdrawn, entry);
  return true;
}
