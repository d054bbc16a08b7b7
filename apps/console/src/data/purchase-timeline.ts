import type { Event, ExplainedCardDecision } from "@purser/client";
import { reasonInWords } from "./card-labels.ts";

export interface PurchaseStep {
  at: Date;
  title: string;
  /** In minor units of the card's currency. */
  amount: number | null;
  tone: "good" | "bad" | "neutral";
}

/** The decision on a purchase, of which the timeline needs no more than that. */
export type TimedDecision = Omit<ExplainedCardDecision, "transaction">;

/**
 * What happened to a purchase, the oldest first: decisions, which are kept for ever, and what events tell of the time
 * after them.
 */
export function timelineOf(decision: TimedDecision, events: readonly Event[]): PurchaseStep[] {
  const increments = decision.increments.map((increment): PurchaseStep => {
    const isApproved = increment.outcome === "approved";
    return {
      at: increment.decidedAt,
      title: isApproved ? "Hold raised by" : `Raise declined: ${titleOf(increment.reason)}`,
      amount: isApproved ? increment.approvedAmount : increment.amount,
      tone: isApproved ? "good" : "bad",
    };
  });
  const later = events.flatMap((event) => stepOf(event, events));
  return [...firstSteps(decision), ...increments, ...later].toSorted(
    (a, b) => a.at.getTime() - b.at.getTime(),
  );
}

function firstSteps(decision: TimedDecision): PurchaseStep[] {
  const {
    outcome,
    origin,
    reason,
    decidedAt: at,
    approvedAmount,
    requestedAmount,
    withdrawnApproval,
  } = decision;
  if (outcome === "not_requested") return [{ at, title: origins[origin], amount: null, tone: "neutral" }];
  if (outcome === "approved") return [approvalOf(at, approvedAmount, requestedAmount)];
  if (withdrawnApproval === null)
    return [{ at, title: `Declined: ${titleOf(reason)}`, amount: requestedAmount, tone: "bad" }];
  // The network did not carry out the approval. The decision then has the time and the reason of the withdrawal.
  return [
    approvalOf(withdrawnApproval.approvedAt, withdrawnApproval.approvedAmount, requestedAmount),
    { at, title: `Approval withdrawn: ${titleOf(reason)}`, amount: null, tone: "bad" },
  ];
}

function approvalOf(at: Date, approved: number | null, requested: number | null): PurchaseStep {
  const isPartial = approved !== null && requested !== null && approved < requested;
  const title = isPartial ? "Approved in part, and held" : "Approved, and held";
  return { at, title, amount: approved, tone: "good" };
}

const origins: Record<ExplainedCardDecision["origin"], string> = {
  authorization: "Requested",
  force_post: "Taken without a request",
  refund: "Refunded by the merchant",
  dispute: "Moved by a dispute",
};

const titleOf = (reason: string | null): string =>
  reason === null ? "no reason" : reasonInWords(reason).title;

/** While a purchase is pending, its amount is what is still held and what was cleared. */
function stepOf(event: Event, all: readonly Event[]): PurchaseStep[] {
  const at = event.createdAt;
  if (event.type === "card_transaction.reversed") {
    const { status, amount } = event.data;
    if (status === "DECLINED") return [{ at, title: "Hold released", amount: null, tone: "neutral" }];
    if (status === "COMPLETED")
      return [{ at, title: "Rest of the hold released; cleared, in total", amount, tone: "neutral" }];
    const isCleared = all.some((one) => one.type === "card_transaction.settled" && one.createdAt < at);
    const now = isCleared ? "held and cleared now" : "held now";
    return [{ at, title: `A part of the hold released; ${now}`, amount, tone: "neutral" }];
  }
  if (event.type === "card_transaction.settled") {
    const isWhole = event.data.status !== "PENDING";
    const title = isWhole ? "Cleared, in total" : "Cleared in part; held and cleared now";
    return [{ at, title, amount: event.data.amount, tone: "good" }];
  }
  if (event.type === "card_transaction.expired")
    return [{ at, title: "Hold expired", amount: null, tone: "neutral" }];
  return [];
}
