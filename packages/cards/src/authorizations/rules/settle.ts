import type { ProblemCode } from "@purser/core";

/** What of a card transaction its messages change. Amounts are in minor units of the card's currency. */
export interface SettlementState {
  status: "PENDING" | "COMPLETED" | "DECLINED";
  amount: number;
  held: number;
  cleared: number;
  refunded: number;
  declineReason: string | null;
  settledAt: Date | null;
  expiresAt: Date | null;
}

/** What a message does: the transaction afterwards, the amount it was about, and what counts more or less. */
export interface Effect {
  after: SettlementState;
  amount: number;
  /** How far it changes what counts against the limits; negative gives back. */
  counted: number;
}

/** A refusal that the caller is told of. */
export interface Refused {
  refused: ProblemCode;
}

/** Gives back some of the hold, or all of it: then the purchase has not come about, but for what was cleared. */
export function reverse(
  before: SettlementState,
  amount: number | null,
  now: Date,
  reason:
    | "authorization_reversed"
    | "authorization_expired"
    | "decision_timed_out"
    | "issuer_declined" = "authorization_reversed",
): Effect | Refused {
  if (before.status !== "PENDING") return { refused: "TRANSACTION_FINAL" };
  const given = amount ?? before.held;
  if (given > before.held) return { refused: "AMOUNT_EXCEEDS_HOLD" };
  const held = before.held - given;
  const effect = { amount: given, counted: held - before.held };
  if (held > 0) return { ...effect, after: { ...before, held, amount: held + before.cleared } };
  const ended = { ...before, held, expiresAt: null };
  if (before.cleared > 0) return { ...effect, after: completed(ended, now) };
  // The amount stays what it was last: what the row says is what did not come about.
  return { ...effect, after: { ...ended, status: "DECLINED", declineReason: reason } };
}

/**
 * Takes what a merchant clears. It may be more than is held, or than is left of the limit: it counts all the same.
 * The final clearing gives back whatever is held still.
 */
export function clear(
  before: SettlementState,
  amount: number | null,
  final: boolean,
  now: Date,
): Effect | Refused {
  if (before.status !== "PENDING") return { refused: "TRANSACTION_FINAL" };
  const taken = amount ?? before.held;
  const cleared = before.cleared + taken;
  const held = final ? 0 : Math.max(0, before.held - taken);
  const counted = held + cleared - (before.held + before.cleared);
  const after = { ...before, held, cleared, amount: held + cleared };
  return { amount: taken, counted, after: final ? completed({ ...after, expiresAt: null }, now) : after };
}

/** How much of a purchase can be given back: what was cleared and not refunded yet. */
export function refundable(
  { status, cleared, refunded }: SettlementState,
  amount: number | null,
): number | Refused {
  if (status === "DECLINED") return { refused: "TRANSACTION_FINAL" };
  if (status === "PENDING") return { refused: "TRANSACTION_NOT_SETTLED" };
  const left = cleared - refunded;
  const given = amount ?? left;
  return given > left || given === 0 ? { refused: "AMOUNT_EXCEEDS_CLEARED" } : given;
}

function completed(row: SettlementState, now: Date): SettlementState {
  return { ...row, status: "COMPLETED", amount: row.cleared, settledAt: now };
}
