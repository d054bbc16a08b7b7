import { addMs, dayMs, newId } from "@purser/core";
import type { Transaction } from "@purser/db";
import type { Actor } from "@purser/platform";
import {
  type EventOrigin,
  type EventPlatform,
  type NewEventRow,
  announceAfterCommit,
  eventOrigin,
  eventRow,
} from "@purser/platform/events";
import type { AuthorizationResponse, CardMessageOf } from "../../ports.ts";
import { type AnsweredDecision, type Decision, responseTo } from "../rules/decide.ts";
import { type RecordedMessage, eventOfTransaction } from "../rules/event-of-transaction.ts";
import { type Windows, windowsOfDay } from "../rules/windows.ts";
import type { LedgerEntry, TransactionRow } from "../store/purchase-rows.ts";
import { insertLedgerEntry, insertTransactionRow, updateTransactionRow } from "../store/transactions.ts";

/** Where a change of a transaction comes from. */
export interface ChangeSource {
  platform: EventPlatform;
  /** The owner behind a control of the sandbox; null for the network. */
  actor: Actor;
}

/** A message that is being recorded, within the transaction that holds the card's lock. */
export interface RecordingStep extends ChangeSource {
  transaction: Transaction;
  card: PurchaseCard;
  now: Date;
}

/** The result of an authorization or an increment: the response to the network, and the transaction. */
export interface DecisionResult {
  response: AuthorizationResponse;
  transaction: TransactionRow;
}

/** The response to a decision, and its transaction. */
export function toDecisionResult(transaction: TransactionRow, decision: AnsweredDecision): DecisionResult {
  return { response: responseTo(decision), transaction };
}

/** The card of a purchase. */
interface PurchaseCard {
  organizationId: string;
  id: string;
  holderId: string | null;
}

/** The rows that record the decision on a purchase. */
export function newPurchaseRows(
  card: PurchaseCard,
  message: CardMessageOf<"authorization">,
  decision: Decision,
  { windows, now }: { windows: Windows; now: Date },
): { transaction: TransactionRow; entry: LedgerEntry } {
  const transaction = newTransactionRow(card, message, { ...responseTo(decision), windows, now });
  const { networkId, exactId, receivedAt, amount } = message;
  const effect = {
    kind: "AUTHORIZATION",
    networkId,
    amount,
    counted: transaction.held,
    decision: { ...decision, exactId, receivedAt, decidedAt: now },
  } as const;
  return { transaction, entry: newLedgerEntry(transaction, effect, now) };
}

type NewPurchase = Omit<CardMessageOf<"authorization">, "kind" | "networkId" | "card">;

/** A hold ends after seven days unless the message has another end, as those of airlines, vehicle rental and lodging do. */
const defaultHoldMs = 7 * dayMs;

/**
 * The transaction that a decision creates. An approval holds the whole amount, or the approved part of it. An approved
 * verification of the card, with an amount of 0, holds nothing and is final at once.
 */
export function newTransactionRow(
  { organizationId, id: cardId, holderId }: PurchaseCard,
  { merchant, ...message }: NewPurchase,
  { approved, reason, partialAmount, windows, now }: AuthorizationResponse & { windows: Windows; now: Date },
): TransactionRow {
  const amount = partialAmount ?? message.amount;
  const held = approved ? amount : 0;
  const isPending = held > 0;
  return {
    organizationId,
    id: newId("ctx", now),
    cardId,
    holderId,
    authorizationReference: message.authorization,
    status: isPending ? "PENDING" : approved ? "COMPLETED" : "DECLINED",
    amount,
    currency: message.currency,
    merchantName: merchant.name,
    merchantId: merchant.id,
    merchantCategory: merchant.category,
    merchantCountry: merchant.country,
    channel: message.channel,
    description: message.description,
    declineReason: reason,
    requested: message.acceptsPartialApproval === true ? message.amount : null,
    authorized: held,
    held,
    cleared: 0,
    refunded: 0,
    purchasedAt: message.at,
    localDay: windows.day,
    createdAt: now,
    settledAt: approved && !isPending ? now : null,
    expiresAt: isPending ? (message.expiresAt ?? addMs(now, defaultHoldMs)) : null,
  };
}

/** What a message adds to the ledger. `final` is for clearings. */
type RecordedEffect = Pick<LedgerEntry, "kind" | "networkId" | "amount" | "counted" | "decision"> &
  Partial<Pick<LedgerEntry, "final">>;

/** Returns a new entry for the ledger of a purchase. */
export function newLedgerEntry(
  { organizationId, cardId, id: transactionId }: TransactionRow,
  effect: RecordedEffect,
  now: Date,
): LedgerEntry {
  const id = newId("cev", now);
  return { final: null, ...effect, organizationId, id, cardId, transactionId, createdAt: now };
}

/** Stores a new transaction with its entry and its event. Returns the transaction. */
export async function recordNew(
  step: RecordingStep,
  row: TransactionRow,
  entry: LedgerEntry,
  originalTransactionId: string | null = null,
): Promise<TransactionRow> {
  await insertTransactionRow(step.transaction, row);
  await recordEntry(step, { entry, transaction: row, originalTransactionId });
  return row;
}

/** Changes a transaction, and stores the entry and the event of the change. Returns the changed transaction. */
export async function recordUpdate(
  step: RecordingStep,
  before: TransactionRow,
  change: Partial<TransactionRow>,
  entry: LedgerEntry,
): Promise<TransactionRow> {
  await updateTransactionRow(step.transaction, before, change);
  const row = { ...before, ...change };
  await recordEntry(step, { entry, transaction: row, before });
  return row;
}

/** The windows in which a purchase counts, whenever its messages arrive. */
export const windowsOfPurchase = ({ localDay }: TransactionRow): Windows => windowsOfDay(localDay);

/** Adds a message to the ledger of its purchase and its event to the organization's feed. */
export async function recordEntry(
  { platform, actor, transaction, card }: RecordingStep,
  recorded: Omit<RecordedMessage, "card">,
): Promise<void> {
  const feedEvents = feedEventsOf(await eventOrigin(platform, actor), { ...recorded, card });
  await insertLedgerEntry(transaction, recorded.entry, windowsOfPurchase(recorded.transaction), feedEvents);
  announceAfterCommit(platform, transaction, feedEvents);
}

/** What a change adds to the organization's feed: one event, or none if nothing changed. */
export function feedEventsOf(
  origin: EventOrigin,
  change: RecordedMessage,
  { isCreation = false } = {},
): NewEventRow[] {
  const event = eventOfTransaction(change);
  return event === null ? [] : [eventRow(origin, event, { isCreation })];
}
