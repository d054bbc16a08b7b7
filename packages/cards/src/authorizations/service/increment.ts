import { Problem, newId } from "@purser/core";
import type { Transaction } from "@purser/db";
import type { Platform } from "@purser/platform";
import { retryTransaction } from "@purser/platform";
import type { CardMessage, IssuerName } from "../../ports.ts";
import { type Decision, decide } from "../rules/decide.ts";
import { expiryOf, spendingOf } from "../rules/spending.ts";
import { windowsAt } from "../rules/windows.ts";
import { type CardReference, type DecisionContext, findDecisionContext } from "../store/decision-context.ts";
import type { EventRow, TransactionRow } from "../store/decide.ts";
import {
  count,
  findAuthorized,
  findByMessage,
  insertEventRow,
  lockReferencedCard,
  readCounters,
  updateTransactionRow,
} from "../store/settle.ts";
import { queuesOf } from "./card-queues.ts";
import { type DecisionResult, decided, repeated } from "./verdict.ts";

type IncrementMessage = Extract<CardMessage, { kind: "increment" }>;

/**
 * Decides on a merchant's wish to hold more, by the same rules as on the purchase itself and in its windows. Where it
 * is refused the hold stays as it was. Throws CARD_NOT_FOUND, CARD_TRANSACTION_NOT_FOUND, TRANSACTION_FINAL.
 */
export function increment(
  { decisionDb, clock }: Pick<Platform, "decisionDb" | "clock">,
  issuer: IssuerName,
  message: IncrementMessage,
): Promise<DecisionResult> {
  const reference = { issuer, reference: message.card };
  return queuesOf(decisionDb).single({
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
  if (first !== undefined) return repeated(first);
  const before = await findAuthorized(transaction, card, message.authorization);
  if (before === undefined) throw new Problem("CARD_TRANSACTION_NOT_FOUND");
  if (before.status !== "PENDING") throw new Problem("TRANSACTION_FINAL");
  // Under the lock nothing of the card changes any more: this is what the decision is made on.
  const found = (await findDecisionContext(transaction, reference, before.purchasedAt))!;
  const windows = windowsAt(new Date(before.localDay), "UTC");
  const counters = await readCounters(transaction, card, windows);
  const decision = decideOn(found, before, message, counters);
  const approved = decision.outcome === "approved" ? message.amount : 0;
  const after = {
    authorized: before.authorized + approved,
    held: before.held + approved,
    amount: before.amount + approved,
  };
  const event = eventOf(before, message, decision, approved, now);
  await updateTransactionRow(transaction, before, after);
  await count(transaction, card, windows, approved);
  await insertEventRow(transaction, event);
  return decided({ ...before, ...after }, decision);
}

function decideOn(
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
  return decide(purchase, { ...card, expiresAt: expiryOf(card, timeZone) }, policy, spending);
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
    decision: {
      ...decision,
      decidedAt: now,
    },
    createdAt: now,
  };
}
