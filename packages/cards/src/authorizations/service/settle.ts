import { Problem } from "@purser/core";
import type { TenantKey, Transaction } from "@purser/db";
import type { Actor, Platform } from "@purser/platform";
import type { EventPlatform } from "@purser/platform/events";
import type { CardMessageOf, IssuerName } from "../../ports.ts";
import {
  type HoldChange,
  type HoldRefusal,
  clearHold,
  endedWithoutMoney,
  refundable,
  reverseHold,
} from "../rules/holds.ts";
import { clearingOf, closingOf, undoingOf } from "../rules/network-ids.ts";
import type { TransactionRow } from "../store/purchase-rows.ts";
import {
  type ExpiredHold,
  findAuthorized,
  findPurchaseRow,
  insertLedgerEntry,
  listOfAuthorization,
  nextRetiredName,
  readAuthorizedTotal,
  sumApprovedAfter,
  updateTransactionRow,
} from "../store/transactions.ts";
import { inLockQueue } from "./lock-queue.ts";
import { type RecordingStep, newLedgerEntry, recordNew, recordUpdate, windowsOfPurchase } from "./record.ts";
import { type StoredMessage, findByMessage, findUnderNetworkId } from "./recorded-messages.ts";
import {
  type SettledCard,
  type SettlementMessage,
  newCompletedRow,
  settlementEntry,
} from "./settlement-rows.ts";

/**
 * Records a message about a purchase: its entry, the changed transaction and the changed counters. A repeated message
 * changes nothing. `isRequest` says that the network waits for the answer and accepts a refusal; otherwise the money
 * has moved already, so a refund of any amount is recorded. `actor` is the owner behind a control of the sandbox.
 *
 * Throws CARD_NOT_FOUND, CARD_TRANSACTION_NOT_FOUND, and for a message that cannot be true of the transaction
 * TRANSACTION_FINAL, AMOUNT_EXCEEDS_HOLD, AMOUNT_EXCEEDS_CLEARED, TRANSACTION_NOT_SETTLED or CURRENCY_NOT_SUPPORTED.
 */
export async function recordSettlement(
  platform: EventPlatform & Pick<Platform, "db" | "nodes">,
  issuer: IssuerName,
  received: SettlementMessage,
  { isRequest = false, actor = null }: { isRequest?: boolean; actor?: Actor } = {},
): Promise<TransactionRow> {
  return inLockQueue(platform, { issuer, reference: received.card }, async (transaction, card) => {
    if (card === undefined) throw new Problem("CARD_NOT_FOUND");
    const { message, first } = await findRepeated(transaction, card, received);
    if (first !== undefined) return first.transaction;
    const authorized = await findPurchase(transaction, card, message, isRequest);
    const now = platform.clock.now();
    return settle({ platform, actor, transaction, card, now, authorized, isRequest }, message);
  });
}

/**
 * Releases an expired hold, by the id of its transaction: its authorization may name another purchase by now. Does nothing if
 * the hold has ended since it was listed.
 */
export async function releaseExpired(
  platform: EventPlatform & Pick<Platform, "db" | "nodes">,
  { organizationId, id, issuer, card: issuerReference }: ExpiredHold,
): Promise<void> {
  // Only an issued card has purchases.
  const reference = issuerReference!;
  await inLockQueue(platform, { issuer, reference, organizationId }, async (transaction, card) => {
    const row = await findPurchaseRow(transaction, { organizationId, id });
    const now = platform.clock.now();
    const isExpired = row?.status === "PENDING" && row.expiresAt !== null && row.expiresAt <= now;
    if (card === undefined || !isExpired) return;
    const message = {
      kind: "expiry",
      networkId: `expiry:${id}`,
      card: reference,
      authorization: row.authorizationReference!,
      at: row.expiresAt!,
    } as const;
    const step = { platform, actor: null, transaction, card, now, authorized: row, isRequest: false };
    await settle(step, message);
  });
}

/** Returns the entry that already records the message, or else the message to record. */
async function findRepeated(
  transaction: Transaction,
  card: TenantKey,
  message: SettlementMessage,
): Promise<{ message: SettlementMessage; first: StoredMessage | undefined }> {
  const first = await findByMessage(transaction, card, message.networkId);
  if (message.kind !== "clearing" || first === undefined) return { message, first };
  // A single message, as of a withdrawal, asks for the money and takes it: the stored entry is the request.
  if (first.entry.decision !== null)
    return findUnderNetworkId(transaction, card, message, clearingOf(message.networkId));
  // Something was held when the clearing was recorded, and another one could have followed.
  if (message.final && first.entry.final === false && first.transaction.status === "PENDING") {
    return findUnderNetworkId(transaction, card, { ...message, amount: 0 }, closingOf(message.networkId));
  }
  return { message, first };
}

/** Finds the purchase of a message. A disputed clearing comes first: without a hold it is a transaction of its own. */
async function findPurchase(
  transaction: Transaction,
  card: TenantKey,
  message: SettlementMessage,
  isRequest: boolean,
): Promise<TransactionRow | undefined> {
  const clearing = message.kind === "dispute" ? message.clearing : null;
  for (const id of clearing === null ? [] : [clearingOf(clearing), clearing]) {
    const cleared = await findByMessage(transaction, card, id);
    if (cleared !== undefined) return cleared.transaction;
  }
  const { authorization } = message;
  if (authorization === null) return undefined;
  if (message.kind !== "refund" || isRequest) return findAuthorized(transaction, card, authorization);
  // An authorization names several purchases if one of them has ended. A refund is of the newest that it fits.
  const purchases = await listOfAuthorization(transaction, card, authorization);
  const fits = (row: TransactionRow) => typeof refundable(row, message.amount) === "number";
  return purchases.find(fits) ?? purchases.find((row) => row.authorizationReference === authorization);
}

interface SettlementStep extends RecordingStep {
  card: SettledCard;
  /** The purchase that the message names, if we know it. */
  authorized: TransactionRow | undefined;
  isRequest: boolean;
}

function settle(step: SettlementStep, message: SettlementMessage): Promise<TransactionRow> {
  const { now } = step;
  switch (message.kind) {
    case "reversal":
      return applySettlement(step, message, (row, later) =>
        reverseHold(row, amountBefore(row, later, message.amount), now),
      );
    case "adjustment":
      return applySettlement(step, message, (row, later) =>
        reverseHold(row, Math.max(0, row.held - later - message.held), now),
      );
    case "expiry":
      return applySettlement(step, message, (row, later) =>
        reverseHold(row, amountBefore(row, later, null), now, "authorization_expired"),
      );
    case "clearing":
      return recordClearing(step, message);
    case "refund":
      return recordRefund(step, message);
    default:
      return recordDispute(step, message);
  }
}

/** The amount to release of what was held before other requests were approved. Null for the whole hold. */
const amountBefore = ({ held }: TransactionRow, approvedAfter: number, amount: number | null) =>
  approvedAfter === 0 ? amount : Math.min(amount ?? held, held - approvedAfter);

/** Applies the message to its purchase. `decide` gets what is held for requests that were approved after the message. */
async function applySettlement(
  step: SettlementStep,
  message: SettlementMessage,
  decide: (row: TransactionRow, approvedAfter: number) => HoldChange | HoldRefusal,
): Promise<TransactionRow> {
  const { authorized, now } = step;
  if (authorized === undefined) throw new Problem("CARD_TRANSACTION_NOT_FOUND");
  const effect = decide(authorized, await readApprovedAfter(step, message, authorized));
  if ("refused" in effect) throw new Problem(effect.refused);
  const entry = settlementEntry({ ...authorized, ...effect.after }, message, effect, now);
  return recordUpdate(step, authorized, effect.after, entry);
}

/**
 * What is held for requests that were approved after the message. The network cannot know them: they make the approved total
 * exceed its own, and are later by our record. Either alone is not enough, because a request may hold more than the network
 * says, and an approval may be recorded late.
 */
async function readApprovedAfter(
  { transaction, card }: SettlementStep,
  message: SettlementMessage,
  row: TransactionRow,
): Promise<number> {
  if (!("approvedBefore" in message) || message.approvedBefore === undefined) return 0;
  const total = await readAuthorizedTotal(transaction, card, message.authorization!);
  const unknown = total - message.approvedBefore;
  if (unknown <= 0) return 0;
  return Math.min(unknown, row.held, await sumApprovedAfter(transaction, row, message.at));
}

async function recordClearing(step: SettlementStep, message: CardMessageOf<"clearing">) {
  const { authorized, isRequest, now } = step;
  const { isCorrection = false, authorization, amount, final } = message;
  // Stripe closes an authorization whose captures were all of an earlier hold under its id. This one's took nothing.
  const endsUncleared = authorized?.status === "PENDING" && authorized.cleared === 0 && final && amount === 0;
  if (endsUncleared && authorization !== null)
    return settle(step, { ...message, kind: "reversal", authorization, amount: null });
  if (!isCorrection && (authorized?.status === "PENDING" || (authorized && isRequest)))
    return applySettlement(step, message, (row, later) => clearHold(row, amount, final, now, later));
  // Stripe closes an authorization also after its hold has been released. That takes no money.
  if (amount === 0) throw new Problem("TRANSACTION_FINAL");
  return forcePost(step, message);
}

/** Records a clearing without a hold, or after its end. The money has moved, so it is always recorded and counts. */
async function forcePost(step: SettlementStep, message: CardMessageOf<"clearing">) {
  const { card, authorized, now } = step;
  const amount = message.amount ?? authorized?.amount ?? 0;
  const row = {
    ...newCompletedRow(card, message, authorized, now),
    amount,
    cleared: amount,
    authorizationReference: await referenceOfForcePost(step, message),
  };
  return recordNew(step, row, settlementEntry(row, message, { amount, counted: amount }, now));
}

/**
 * The name of a force post. After a purchase that took no money, the force post has a name of that authorization too, so that
 * a refund finds it.
 */
async function referenceOfForcePost(
  { transaction, card, authorized }: SettlementStep,
  message: CardMessageOf<"clearing">,
): Promise<string | null> {
  if (authorized === undefined) {
    const { authorization: authorizationReference, isUnrequested = false } = message;
    if (authorizationReference === null || !isUnrequested) return authorizationReference;
    // Its refund finds it, and another request does not.
    const { organizationId, id: cardId } = card;
    return nextRetiredName(transaction, { organizationId, cardId, authorizationReference });
  }
  const isOfPurchase = endedWithoutMoney(authorized) && message.isCorrection !== true;
  return isOfPurchase ? nextRetiredName(transaction, authorized) : null;
}

/**
 * Records a refund: a transaction with a negative amount. A refund by the merchant does not reduce what counts against the
 * limits, so reversing it does not count twice. A refund that exceeds its purchase is linked to it but leaves its refundable amount
 * unchanged.
 */
async function recordRefund(step: SettlementStep, message: CardMessageOf<"refund">) {
  const { transaction, card, authorized, isRequest, now } = step;
  const fitting = authorized === undefined ? message.amount : refundable(authorized, message.amount);
  if (fitting === null) throw new Problem("CARD_TRANSACTION_NOT_FOUND");
  const fits = typeof fitting === "number";
  if (!fits && (isRequest || message.amount === null)) throw new Problem(fitting.refused);
  const refunded = fits ? fitting : message.amount!;
  const row = {
    ...newCompletedRow(card, message, authorized, now),
    amount: -refunded,
    ...(refunded < 0 && { description: "Refund reversed" }),
  };
  const entry = settlementEntry(row, message, { amount: refunded, counted: 0 }, now);
  await recordNew(step, row, entry, authorized?.id);
  if (authorized && fits) {
    if (message.undoesAuthorization === true) await undoClearing(step, message, authorized, refunded);
    else await updateTransactionRow(transaction, authorized, { refunded: authorized.refunded + refunded });
  }
  return row;
}

/** Gives back what a cleared purchase counts in its windows. Its amount stays, and the refund shows what came back. */
async function undoClearing(
  { transaction, now }: SettlementStep,
  message: CardMessageOf<"refund">,
  purchase: TransactionRow,
  amount: number,
): Promise<void> {
  await updateTransactionRow(transaction, purchase, { cleared: purchase.cleared - amount });
  const networkId = undoingOf(message.networkId);
  const effect = { kind: "REFUND", networkId, amount, counted: -amount, decision: null } as const;
  // Without an event: that of the refund tells it.
  await insertLedgerEntry(
    transaction,
    newLedgerEntry(purchase, effect, now),
    windowsOfPurchase(purchase),
    [],
  );
}

/**
 * Records money that a dispute moves: a transaction of its own, known purchase or not. The purchase still counts against
 * the limits after the money came back, so it counts no second time when the money is taken again.
 */
async function recordDispute(step: SettlementStep, message: CardMessageOf<"dispute">) {
  const { card, authorized, now } = step;
  const { amount, currency, direction } = message;
  if (currency !== card.currency) throw new Problem("CURRENCY_NOT_SUPPORTED");
  const row = {
    ...newCompletedRow(card, message, authorized, now),
    amount: direction === "credit" ? -amount : amount,
    description: direction === "credit" ? "Dispute: funds reinstated" : "Dispute: funds rescinded",
  };
  const entry = settlementEntry(row, message, { amount, counted: 0 }, now);
  return recordNew(step, row, entry, authorized?.id);
}
