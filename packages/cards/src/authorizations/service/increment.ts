import { Problem } from "@purser/core";
import type { Transaction } from "@purser/db";
import { type Actor, type Platform, createBatcher, perDatabase, retryTransaction } from "@purser/platform";
import type { EventPlatform } from "@purser/platform/events";
import type { CardMessageOf, IssuerName, RequestMessage } from "../../ports.ts";
import { type Decision, decidePurchase, spendingOf } from "../rules/decide.ts";
import { endedWithoutMoney } from "../rules/holds.ts";
import { windowsAt, windowsOfDay } from "../rules/windows.ts";
import type { TransactionRow } from "../store/purchase-rows.ts";
import {
  type CardReference,
  type DecisionContext,
  cardKeyOf,
  findDecisionContext,
  findDecisionDatabase,
} from "../store/decision-context.ts";
import { lockPolicyOf, withCardLock } from "../store/card-lock.ts";
import {
  addToCounters,
  findAuthorized,
  insertTransactionRow,
  retireReference,
  updateTransactionRow,
} from "../store/settle.ts";
import { maxLockWaits, startWithinMs } from "./queue-limits.ts";
import {
  type ChangeSource,
  type DecisionResult,
  newLedgerEntry,
  newPurchaseRows,
  recordChange,
  toDecisionResult,
} from "./record.ts";
import { findRepeatedRequest, repeatedResult } from "./recorded-messages.ts";

/**
 * Decides on another request of a known authorization. While something is held, it is a request to hold more, even if the
 * network does not call it so: it is decided by the rules of the purchase and in its windows, and if it is declined, the hold
 * stays as it was. After a decline or a verification of the card it is a purchase of its own, which later messages are about.
 * Throws CARD_NOT_FOUND, CARD_TRANSACTION_NOT_FOUND, and TRANSACTION_FINAL if the purchase is cleared.
 */
export function incrementHold(
  platform: EventPlatform & Pick<Platform, "decisionDb" | "nodes">,
  issuer: IssuerName,
  received: RequestMessage,
  actor: Actor["actor"] = null,
): Promise<DecisionResult> {
  const source = { platform, actor };
  return underLock(platform, { issuer, reference: received.card }, async (step) => {
    const { message, first } = await findRepeatedRequest(step.transaction, step.card, received);
    if (first !== undefined) return repeatedResult(first);
    const before = await findAuthorized(step.transaction, step.card, message.authorization);
    if (before?.status === "PENDING") return applyIncrement(source, step, before, message);
    if (before && !(endedWithoutMoney(before) && message.kind === "authorization"))
      throw new Problem("TRANSACTION_FINAL");
    if (message.kind === "increment") throw new Problem("CARD_TRANSACTION_NOT_FOUND");
    // In this transaction, so that the id always names a purchase: until then a repeat would be decided as a new one.
    if (before !== undefined) await retireReference(step.transaction, before);
    return applyPurchase(source, step, datedNow(message, platform.clock.now()));
  });
}

type Purchase = CardMessageOf<"authorization">;

/** Networks date every request of an authorization by its first one, whose windows may have ended long ago. */
function datedNow(message: Purchase, now: Date): Purchase {
  const { at, expiresAt } = message;
  const later = now.getTime() - at.getTime();
  return { ...message, at: now, expiresAt: expiresAt && new Date(expiresAt.getTime() + later) };
}

interface IncrementStep {
  transaction: Transaction;
  reference: CardReference;
  /** Locked. */
  card: { organizationId: string; id: string; policyId: string; holderId: string | null };
}

async function underLock<Result>(
  platform: Pick<Platform, "decisionDb" | "nodes">,
  reference: CardReference,
  decide: (step: IncrementStep) => Promise<Result>,
): Promise<Result> {
  const target = await findDecisionDatabase(platform, reference);
  if (target === undefined) throw new Problem("CARD_NOT_FOUND");
  const { db, organizationId } = target;
  const run = () =>
    retryTransaction(() =>
      withCardLock(db, { ...reference, organizationId }, async (transaction, card) => {
        if (card === undefined) throw new Problem("CARD_NOT_FOUND");
        return decide({ transaction, reference, card });
      }),
    );
  return lockQueue(db)({ card: cardKeyOf(reference), run });
}

interface LockWork<Result> {
  card: string;
  run: () => Promise<Result>;
}

/** Runs work that takes the lock of a card, one at a time per card. Returns what the work returns. */
const lockQueue = perDatabase(
  (db) =>
    createBatcher({
      run: async ([work]: readonly LockWork<unknown>[]) => [await work!.run()],
      maxBatchSize: 1,
      groupOf: ({ card }) => card,
      maxConcurrentBatches: maxLockWaits(db),
      maxWaitMs: startWithinMs,
    }) as <Result>(work: LockWork<Result>) => Promise<Result>,
);

/** Decides on a purchase of its own. */
async function applyPurchase(
  source: ChangeSource,
  { transaction, reference, card }: IncrementStep,
  message: Purchase,
): Promise<DecisionResult> {
  const { at, acceptsPartialApproval = false } = message;
  const { organizationId } = card;
  await lockPolicyOf(transaction, card);
  // Both locks are held, so the context cannot change before the commit.
  const context = (await findDecisionContext(transaction, { ...reference, at, organizationId }))!;
  const { timeZone, counters, policy, partialApprovals } = context;
  const windows = windowsAt(at, timeZone);
  const purchase = { ...message, mayBePartial: acceptsPartialApproval && partialApprovals };
  const spending = spendingOf({ counters, windows, at, timeZone });
  const decision = decidePurchase(purchase, context.card, policy, spending);
  const now = source.platform.clock.now();
  const { transaction: row, entry } = newPurchaseRows(context.card, message, decision, { windows, now });
  await insertTransactionRow(transaction, row);
  await addToCounters(transaction, card, windows, entry.counted);
  await recordChange(source, transaction, { entry, transaction: row, card });
  return toDecisionResult(row, decision);
}

type AdditionalHold = Pick<
  CardMessageOf<"increment">,
  "networkId" | "exactId" | "receivedAt" | "amount" | "acceptsPartialApproval"
>;

/** Decides on an additional amount for an open hold. */
async function applyIncrement(
  source: ChangeSource,
  { transaction, reference, card }: IncrementStep,
  before: TransactionRow,
  message: AdditionalHold,
): Promise<DecisionResult> {
  await lockPolicyOf(transaction, card);
  // Both locks are held, so the context cannot change before the commit.
  const context = (await findDecisionContext(transaction, {
    ...reference,
    at: before.purchasedAt,
    organizationId: card.organizationId,
  }))!;
  const windows = windowsOfDay(before.localDay);
  const decision = decideIncrement(context, before, message);
  const approved = decision.approvedAmount;
  const { networkId, exactId, receivedAt, amount } = message;
  const now = source.platform.clock.now();
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
  await updateTransactionRow(transaction, before, change);
  await addToCounters(transaction, card, windows, approved);
  const after = { ...before, ...change };
  await recordChange(source, transaction, { entry, transaction: after, before, card });
  return toDecisionResult(after, decision);
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
  const { currency, channel, purchasedAt: at, localDay } = before;
  const merchant = {
    name: before.merchantName,
    id: before.merchantId,
    category: before.merchantCategory,
    country: before.merchantCountry,
  };
  const windows = windowsOfDay(localDay);
  const mayBePartial = acceptsPartialApproval && partialApprovals;
  const purchase = { amount, mayBePartial, currency, merchant, channel, at };
  const approvedBefore = before.held + before.cleared;
  const spending = spendingOf({ counters, windows, at, timeZone, approvedBefore });
  return decidePurchase(purchase, card, policy, spending);
}
