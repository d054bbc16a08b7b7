import { Problem, newId } from "@purser/core";
import type { Platform } from "../../../context.ts";
import type { CardMessage, IssuerName, Verdict } from "../../ports.ts";
import { type Decision, type Purchase, decide } from "../rules/decide.ts";
import { expiryOf, spendingOf } from "../rules/spending.ts";
import { type Windows, windowsAt } from "../rules/windows.ts";
import {
  type Cap,
  type Decidable,
  type EventRow,
  type TransactionRow,
  findDecidable,
  isRepeated,
  noCap,
  storeApproval,
  storeRefusal,
} from "../store/decide.ts";
import { type Told, findByMessage } from "../store/settle.ts";

export type AuthorizationMessage = Extract<CardMessage, { kind: "authorization" }>;

/** What became of an authorization or an increment: what the network is told, and the transaction. */
export interface Decided {
  verdict: Verdict;
  transaction: TransactionRow;
}

/** How often a decision is made anew because the card changed, or others were quicker, while it was made. */
const attempts = 8;

/** Holds end after seven days unless the network says otherwise. */
const holdMilliseconds = 7 * 24 * 60 * 60 * 1000;

/**
 * Decides on a purchase and keeps what was decided: an approval takes from the limit in the same statement that
 * checks that there is enough of it, and that the card is still as it was when it was read. The same message again is
 * answered as it was the first time. Throws CARD_NOT_FOUND, and TRANSACTION_FINAL where another message was about this
 * very authorization before.
 */
export async function authorize(
  { db, clock }: Pick<Platform, "db" | "clock">,
  issuer: IssuerName,
  message: AuthorizationMessage,
): Promise<Decided> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const found = await findDecidable(db, { issuer, reference: message.card }, message.at);
    if (found === undefined) throw new Problem("CARD_NOT_FOUND");
    const windows = windowsAt(message.at, found.timeZone);
    const decision = decideOn(found, message, windows);
    const now = clock.now();
    const transaction = transactionOf(found, message, decision, windows, now);
    const event = eventOf(transaction, message, decision, now);
    try {
      const { version } = found.card;
      const stored =
        decision.outcome === "approved"
          ? await storeApproval(db, { version, transaction, event, windows, cap: capOf(decision) })
          : await storeRefusal(db, { version, transaction, event });
      if (stored) return decided(transaction, decision);
    } catch (error) {
      if (!isRepeated(error)) throw error;
      const first = await findByMessage(db, found.card, message.networkId);
      // Another message has used the name of this authorization: a clearing that was quicker, for example.
      if (first === undefined) throw new Problem("TRANSACTION_FINAL", { cause: error });
      return repeated(first);
    }
  }
  throw new Problem("UNAVAILABLE", { retryAfterSeconds: 1 });
}

function decideOn(
  { card, policy, timeZone, counters }: Decidable,
  purchase: Purchase,
  windows: Windows,
): Decision {
  const spending = spendingOf({ counters, windows, at: purchase.at, timeZone });
  return decide(purchase, { ...card, expiresAt: expiryOf(card, timeZone) }, policy, spending);
}

const periods = { DAILY: "DAY", WEEKLY: "WEEK", MONTHLY: "MONTH" } as const;

/** How far the purchase's window may be filled. */
function capOf({ limit, interval }: Decision): Cap {
  if (limit === null || interval === null || interval === "PER_TRANSACTION") return noCap;
  return { period: periods[interval], limit };
}

function transactionOf(
  { card }: Decidable,
  { merchant, ...message }: AuthorizationMessage,
  { outcome, reason }: Decision,
  windows: Windows,
  now: Date,
): TransactionRow {
  const isApproved = outcome === "approved";
  const held = isApproved ? message.amount : 0;
  return {
    organizationId: card.organizationId,
    id: newId("ctx", now),
    cardId: card.id,
    authorizationReference: message.authorization,
    status: isApproved ? "PENDING" : "DECLINED",
    amount: message.amount,
    currency: message.currency,
    merchantName: merchant.name,
    merchantId: merchant.id,
    merchantCategory: merchant.category,
    merchantCountry: merchant.country,
    channel: message.channel,
    description: message.description,
    declineReason: reason,
    authorized: held,
    held,
    cleared: 0,
    refunded: 0,
    purchasedAt: message.at,
    localDay: windows.day,
    createdAt: now,
    settledAt: null,
    expiresAt: isApproved ? (message.expiresAt ?? new Date(now.getTime() + holdMilliseconds)) : null,
  };
}

function eventOf(
  { organizationId, cardId, id: transactionId, held, amount }: TransactionRow,
  { networkId }: AuthorizationMessage,
  decision: Decision,
  now: Date,
): EventRow {
  return {
    organizationId,
    id: newId("cev", now),
    cardId,
    transactionId,
    networkId,
    amount,
    kind: "AUTHORIZATION",
    counted: held,
    decision: {
      ...decision,
      decidedAt: now,
    },
    createdAt: now,
  };
}

/** What the network is told of a decision. */
export function decided(transaction: TransactionRow, { outcome, reason }: Decision): Decided {
  return { verdict: { approved: outcome === "approved", reason }, transaction };
}

/** What the network was told of a message before, and is told again. */
export function repeated({ event, transaction, withdrawn }: Told): Decided {
  if (withdrawn) return { verdict: { approved: false, reason: "decision_timed_out" }, transaction };
  // The name of something that was not asked but told.
  if (event.decision === null) throw new Problem("TRANSACTION_FINAL");
  return decided(transaction, event.decision as unknown as Decision);
}
