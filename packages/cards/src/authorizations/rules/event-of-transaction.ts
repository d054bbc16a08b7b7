import type { NewEvent } from "@purser/platform/events";
import type { LedgerEntry, TransactionRow } from "../store/purchase-rows.ts";
import { explainDecision, toCardTransaction } from "../../transactions/rules.ts";
import type { CardEvent } from "../../feed-events/contract.ts";

export type CardTransactionEvent = Extract<CardEvent, { subject: { type: "card_transaction" } }>;

/** What a message of the network did. */
export interface RecordedMessage {
  /** The row of the ledger that records the message. */
  entry: LedgerEntry;
  /** The transaction as it is now. */
  transaction: TransactionRow;
  /** The transaction as it was; absent if the message created it. */
  before?: TransactionRow;
  /** The purchase that a refund or a dispute gives back, if it is known. */
  originalTransactionId?: string | null;
  /** The present cardholder, as transactions store it. */
  card: { holderId: string | null };
}

/** Returns the event of a change; null if nothing changed and nothing was requested. */
export function eventOfTransaction(change: RecordedMessage): NewEvent<CardTransactionEvent> | null {
  const { entry, transaction, before, card } = change;
  const { organizationId, id: subject, cardId } = transaction;
  // A network records requests of nothing, and repeats that its decision is ours.
  if (entry.kind === "INCREMENT" ? entry.amount === 0 : before && isUnchanged(before, transaction)) {
    return null;
  }
  // After a reassignment, the events of a former cardholder's purchase are for owners.
  const isOfHolder = transaction.holderId === card.holderId;
  return { organizationId, subject, ...(isOfHolder && { cardId }), ...typeAndData(change) };
}

function typeAndData({ entry, transaction, originalTransactionId = null }: RecordedMessage) {
  const data = toCardTransaction(transaction);
  const { kind } = entry;
  if (kind === "AUTHORIZATION") {
    if (transaction.status !== "DECLINED") return { type: "card_transaction.approved", data } as const;
    const decision = { ...explainDecision(entry), ...firstEntry };
    return { type: "card_transaction.declined", data: { ...data, decision } } as const;
  }
  if (kind === "INCREMENT") {
    const { decidedAt: _, ...decision } = explainDecision(entry);
    const approved = decision.outcome === "approved";
    return { type: "card_transaction.incremented", data: { ...data, approved, decision } } as const;
  }
  const isRefund = kind === "REFUND" && entry.amount >= 0;
  if (isRefund || kind === "DISPUTE_CREDIT") {
    return { type: "card_transaction.refunded", data: { ...data, originalTransactionId } } as const;
  }
  return { type: simpleTypes[kind], data } as const;
}

/** What a decision is explained with before anything else has happened. */
const firstEntry = { origin: "authorization" as const, increments: [], amountBeyondApproval: 0 };

const simpleTypes = {
  REVERSAL: "card_transaction.reversed",
  EXPIRY: "card_transaction.expired",
  CLEARING: "card_transaction.settled",
  DISPUTE_DEBIT: "card_transaction.settled",
  /** A refund that is taken back. */
  REFUND: "card_transaction.settled",
} as const;

function isUnchanged(before: TransactionRow, after: TransactionRow): boolean {
  const { status, amount, held, cleared } = after;
  return (
    before.status === status && before.amount === amount && before.held === held && before.cleared === cleared
  );
}
