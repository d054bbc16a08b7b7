import type { ProblemCode, cardTransactionStatuses } from "@purser/core";
import type { AdvisedDecision } from "./advised-decision.ts";

/** The part of a card transaction that messages change. Amounts are in minor units of the card's currency. */
export interface SettlementState {
  status: (typeof cardTransactionStatuses)[number];
  amount: number;
  held: number;
  cleared: number;
  refunded: number;
  declineReason: string | null;
  settledAt: Date | null;
  expiresAt: Date | null;
}

/** The change that a message makes. */
export interface HoldChange {
  after: SettlementState;
  /** The amount of the message. */
  amount: number;
  /** The change of the counters; negative gives back. */
  counted: number;
}

/** The message cannot be true of this transaction. */
export interface HoldRefusal {
  refused: ProblemCode;
}

/** Whether no money moved: this purchase was declined, or it was a verification of the card. */
export function endedWithoutMoney({ status, amount }: Pick<SettlementState, "status" | "amount">): boolean {
  return status === "DECLINED" || (status === "COMPLETED" && amount === 0);
}

/**
 * Whether another request of the authorization is a purchase of its own: this one ended without money, or was approved and is
 * cleared. What was cleared without an approval may be the purchase of that request.
 */
export function allowsNewPurchase(
  row: Pick<SettlementState, "status" | "amount"> & { authorized: number },
): boolean {
  return endedWithoutMoney(row) || (row.status === "COMPLETED" && row.authorized > 0);
}

/** Releases a part of the hold, or all of it if `amount` is null. A purchase without hold and clearing ends DECLINED. */
export function reverseHold(
  before: SettlementState,
  amount: number | null,
  now: Date,
  reason:
    | "authorization_reversed"
    | "authorization_expired"
    | Exclude<AdvisedDecision["reason"], null> = "authorization_reversed",
): HoldChange | HoldRefusal {
  if (before.status !== "PENDING") return { refused: "TRANSACTION_FINAL" };
  const released = amount ?? before.held;
  if (released > before.held) return { refused: "AMOUNT_EXCEEDS_HOLD" };
  const held = before.held - released;
  const effect = { amount: released, counted: held - before.held };
  if (held > 0) return { ...effect, after: { ...before, held, amount: held + before.cleared } };
  const ended = { ...before, held, expiresAt: null };
  if (before.cleared > 0) return { ...effect, after: completed(ended, now) };
  // The row keeps its last amount: the amount of the purchase that did not happen.
  return { ...effect, after: { ...ended, status: "DECLINED", declineReason: reason } };
}

/**
 * Clears an amount, or the whole hold if `amount` is null. More than the hold or the limit also lands and counts. The
 * final clearing releases the rest of the hold, except what was approved after it.
 */
export function clearHold(
  before: SettlementState,
  amount: number | null,
  final: boolean,
  now: Date,
  approvedAfter = 0,
): HoldChange | HoldRefusal {
  if (before.status !== "PENDING") return { refused: "TRANSACTION_FINAL" };
  const taken = amount ?? before.held;
  const cleared = before.cleared + taken;
  const held = final ? approvedAfter : Math.max(0, before.held - taken);
  const counted = held + cleared - (before.held + before.cleared);
  const after = { ...before, held, cleared, amount: held + cleared };
  const isLast = final && held === 0;
  return { amount: taken, counted, after: isLast ? completed({ ...after, expiresAt: null }, now) : after };
}

/**
 * The amount that a refund of a purchase gives back: at most what was cleared and not refunded yet. A negative amount
 * takes back at most what was refunded.
 */
export function refundable(
  { status, cleared, refunded: refundedBefore }: SettlementState,
  amount: number | null,
): number | HoldRefusal {
  if (status === "DECLINED") return { refused: "TRANSACTION_FINAL" };
  if (status === "PENDING") return { refused: "TRANSACTION_NOT_SETTLED" };
  const left = cleared - refundedBefore;
  const refunded = amount ?? left;
  const fits = refunded <= left && refunded >= -refundedBefore && refunded !== 0;
  return fits ? refunded : { refused: "AMOUNT_EXCEEDS_CLEARED" };
}

function completed(row: SettlementState, now: Date): SettlementState {
  return { ...row, status: "COMPLETED", amount: row.cleared, settledAt: now };
}
