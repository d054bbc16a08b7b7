import { Problem, newId } from "@purser/core";
import type { Transaction } from "@purser/db";
import { type Platform, retryTransaction } from "@purser/platform";
import type { CardMessage, IssuerName } from "../../ports.ts";
import { type Decision, decidePurchase, expiryOf, spendingOf } from "../rules/decide.ts";
import { windowsAt } from "../rules/windows.ts";
import type { EventRow, TransactionRow } from "../store/decide.ts";
import {
  type CardReference,
  type DecisionContext,
  findByMessage,
  findDecisionContext,
} from "../store/decision-context.ts";
import {
  addToCounters,
  findAuthorized,
  insertEventRow,
  lockReferencedCard,
  readCounters,
  updateTransactionRow,
} from "../store/settle.ts";
import { type DecisionResult, decisionQueues, repeatedResult, resultOf } from "./authorize.ts";

type IncrementMessage = Extract<CardMessage, { kind: "increment" }>;

/**
 * Decides on a request to hold more for a purchase, by the rules of the purchase itself and in its windows. If it is
 * declined, the hold stays as it was. Throws CARD_NOT_FOUND, CARD_TRANSACTION_NOT_FOUND, TRANSACTION_FINAL.
 */
export function incrementHold(
  { decisionDb, clock }: Pick<Platform, "decisionDb" | "clock">,
  issuer: IssuerName,
  message: IncrementMessage,
): Promise<DecisionResult> {
  const reference = { issuer, reference: message.card };
  return decisionQueues(decisionDb).locking({
    card: `${issuer} ${message.card}`,
    decide: () =>
      retryTransaction(() =>
        decisionDb.transaction((transaction) => holdMore(transaction, reference, message, clock.now())),
      ),
  });
}

async function holdMore(
  transaction: Transaction,
  reference: CardReference,
  message: IncrementMessage,
  now: Date,
): Promise<DecisionResult> {
  const card = await lockReferencedCard(transaction, reference);
  if (card === undefined) throw new Problem("CARD_NOT_FOUND");
  const first = await findByMessage(transaction, card, message.networkId);
  if (first !== undefined) return repeatedResult(first);
  const before = await findAuthorized(transaction, card, message.authorization);
  if (before === undefined) throw new Problem("CARD_TRANSACTION_NOT_FOUND");
  if (before.status !== "PENDING") throw new Problem("TRANSACTION_FINAL");
  // The lock is held, so the context cannot change before the commit.
  const context = (await findDecisionContext(transaction, reference, before.purchasedAt))!;
  const windows = windowsAt(new Date(before.localDay), "UTC");
  const counters = await readCounters(transaction, card, windows);
  const decision = decideIncrement(context, before, message, counters);
  const approved = decision.outcome === "approved" ? message.amount : 0;
  const after = {
    authorized: before.authorized + approved,
    held: before.held + approved,
    amount: before.amount + approved,
  };
  const event = eventOf(before, message, decision, approved, now);
  await updateTransactionRow(transaction, before, after);
  await addToCounters(transaction, card, windows, approved);
  await insertEventRow(transaction, event);
  return resultOf({ ...before, ...after }, decision);
}

function decideIncrement(
  { card, policy, timeZone }: DecisionContext,
  before: TransactionRow,
  { amount }: IncrementMessage,
  counters: Record<string, number>,
): Decision {
  const { currency, channel, purchasedAt: at, localDay } = before;
  const merchant = {
    name: before.merchantName,
    id: before.merchantId,
    category: before.merchantCategory,
    country: before.merchantCountry,
  };
  const windows = windowsAt(new Date(localDay), "UTC");
  const purchase = { amount, currency, merchant, channel, at };
  const approvedBefore = before.held + before.cleared;
  const spending = spendingOf({ counters, windows, at, timeZone, approvedBefore });
  return decidePurchase(purchase, { ...card, expiresAt: expiryOf(card, timeZone) }, policy, spending);
}

function eventOf(
  { organizationId, cardId, id: transactionId }: TransactionRow,
  { networkId, amount }: IncrementMessage,
  decision: Decision,
  counted: number,
  now: Date,
): EventRow {
  return {
    organizationId,
    id: newId("cev", now),
    cardId,
    transactionId,
    networkId,
    amount,
    counted,
    kind: "INCREMENT",
    final: null,
    decision: { ...decision, decidedAt: now },
    createdAt: now,
  };
}
