import { Problem, addMs } from "@purser/core";
import type { Actor, Platform } from "@purser/platform";
import type { EventPlatform } from "@purser/platform/events";
import type { CardMessageOf, IssuerName, RequestMessage } from "../../ports.ts";
import { type Decision, decidePurchase, spendingOf } from "../rules/decide.ts";
import { allowsNewPurchase } from "../rules/holds.ts";
import { windowsAt } from "../rules/windows.ts";
import type { TransactionRow } from "../store/purchase-rows.ts";
import {
  type CardReference,
  type DecisionContext,
  findDecisionContext,
  inDecisionDatabase,
} from "../store/decision-context.ts";
import { lockPolicyOf } from "../store/card-lock.ts";
import { findAuthorized, retireReference } from "../store/transactions.ts";
import { createLockQueue } from "./lock-queue.ts";
import { startWithinMs } from "./queue-limits.ts";
import {
  type ChangeSource,
  type DecisionResult,
  type RecordingStep,
  newLedgerEntry,
  newPurchaseRows,
  recordNew,
  recordUpdate,
  toDecisionResult,
  windowsOfPurchase,
} from "./record.ts";
import { findRepeatedRequest, repeatedResult } from "./recorded-messages.ts";

/**
 * Decides on another request of a known authorization. While something is held, it is a request to hold more, even if the
 * network does not call it so: it is decided by the rules of the purchase and in its windows, and if it is declined, the hold
 * stays as it was. After a decline, a verification of the card or the last clearing it is a purchase of its own, which later
 * messages are about. Throws CARD_NOT_FOUND, CARD_TRANSACTION_NOT_FOUND, and TRANSACTION_FINAL for an increment of a purchase
 * that has ended and for a purchase that was cleared before its request.
 */
export function incrementHold(
  platform: EventPlatform & Pick<Platform, "decisionDb" | "nodes">,
  issuer: IssuerName,
  received: RequestMessage,
  actor: Actor = null,
): Promise<DecisionResult> {
  const source = { platform, actor };
  return underLock(source, { issuer, reference: received.card }, async (step) => {
    const { message, first } = await findRepeatedRequest(step.transaction, step.card, received);
    if (first !== undefined) return repeatedResult(first);
    const before = await findAuthorized(step.transaction, step.card, message.authorization);
    if (before?.status === "PENDING") return applyIncrement(step, before, message);
    if (message.kind === "increment")
      throw new Problem(before === undefined ? "CARD_TRANSACTION_NOT_FOUND" : "TRANSACTION_FINAL");
    if (before && !allowsNewPurchase(before)) throw new Problem("TRANSACTION_FINAL");
    // In this transaction, so that the id always names a purchase: until then a repeat would be decided as a new one.
    if (before !== undefined) await retireReference(step.transaction, before);
    return applyPurchase(step, datedNow(message, step.now));
  });
}

type Purchase = CardMessageOf<"authorization">;

/** Networks date every request of an authorization by its first one, whose windows may have ended long ago. */
function datedNow(message: Purchase, now: Date): Purchase {
  const { at, expiresAt } = message;
  const later = now.getTime() - at.getTime();
  return { ...message, at: now, expiresAt: expiresAt && addMs(expiresAt, later) };
}

interface IncrementStep extends RecordingStep {
  reference: CardReference;
  card: RecordingStep["card"] & { policyId: string };
}

async function underLock<Result>(
  source: ChangeSource & { platform: Pick<Platform, "decisionDb" | "nodes"> },
  reference: CardReference,
  decide: (step: IncrementStep) => Promise<Result>,
): Promise<Result> {
  const { platform } = source;
  return inDecisionDatabase(platform, reference, (found) => {
    if (found === undefined) throw new Problem("CARD_NOT_FOUND");
    const { db, organizationId } = found;
    return inIncrementQueue(
      () => db,
      { ...reference, organizationId },
      async (transaction, card) => {
        if (card === undefined) throw new Problem("CARD_NOT_FOUND");
        return decide({ ...source, transaction, reference, card, now: platform.clock.now() });
      },
    );
  });
}

const inIncrementQueue = createLockQueue({ maxWaitMs: startWithinMs });

/** Reads what a decision depends on, after locking the policy: with both locks, it cannot change before the commit. */
async function readLockedContext(
  { transaction, reference, card }: IncrementStep,
  at: Date,
): Promise<DecisionContext> {
  await lockPolicyOf(transaction, card);
  const { organizationId } = card;
  return (await findDecisionContext(transaction, { ...reference, at, organizationId }))!;
}

/** Decides on a purchase of its own. */
async function applyPurchase(step: IncrementStep, message: Purchase): Promise<DecisionResult> {
  const { at, acceptsPartialApproval = false } = message;
  const context = await readLockedContext(step, at);
  const { timeZone, counters, policy, partialApprovals } = context;
  const windows = windowsAt(at, timeZone);
  const purchase = { ...message, mayBePartial: acceptsPartialApproval && partialApprovals };
  const spending = spendingOf({ counters, windows, at, timeZone });
  const decision = decidePurchase(purchase, context.card, policy, spending);
  const { transaction: row, entry } = newPurchaseRows(context.card, message, decision, {
    windows,
    now: step.now,
  });
  return toDecisionResult(await recordNew(step, row, entry), decision);
}

type AdditionalHold = Pick<
  CardMessageOf<"increment">,
  "networkId" | "exactId" | "receivedAt" | "amount" | "acceptsPartialApproval"
>;

/** Decides on an additional amount for an open hold. */
async function applyIncrement(
  step: IncrementStep,
  before: TransactionRow,
  message: AdditionalHold,
): Promise<DecisionResult> {
  const { now } = step;
  const context = await readLockedContext(step, before.purchasedAt);
  const decision = decideIncrement(context, before, message);
  const approved = decision.approvedAmount;
  const { networkId, exactId, receivedAt, amount } = message;
  const change = {
    requested: requestedAfter(before, message, approved),
    authorized: before.authorized + approved,
    held: before.held + approved,
    amount: before.amount + approved,
  };
  const entry = newLedgerEntry(
    before,
    {
      kind: "INCREMENT",
      networkId,
      amount,
      counted: approved,
      decision: { ...decision, exactId, receivedAt, decidedAt: now },
    },
    now,
  );
  return toDecisionResult(await recordUpdate(step, before, change, entry), decision);
}

/** The total requested after an approval, if the merchant accepts less for any part of it. */
function requestedAfter(
  { requested, authorized }: TransactionRow,
  { amount, acceptsPartialApproval = false }: AdditionalHold,
  approved: number,
): number | null {
  if (approved === 0 || (requested === null && !acceptsPartialApproval)) return requested;
  return (requested ?? authorized) + amount;
}

function decideIncrement(
  { card, policy, timeZone, partialApprovals, counters }: DecisionContext,
  before: TransactionRow,
  { amount, acceptsPartialApproval = false }: AdditionalHold,
): Decision {
  const { currency, channel, purchasedAt: at } = before;
  const merchant = {
    name: before.merchantName,
    id: before.merchantId,
    category: before.merchantCategory,
    country: before.merchantCountry,
  };
  const windows = windowsOfPurchase(before);
  const mayBePartial = acceptsPartialApproval && partialApprovals;
  const purchase = { amount, mayBePartial, currency, merchant, channel, at };
  const approvedBefore = before.held + before.cleared;
  const spending = spendingOf({ counters, windows, at, timeZone, approvedBefore });
  return decidePurchase(purchase, card, policy, spending);
}
