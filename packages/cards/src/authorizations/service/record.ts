import { newId } from "@purser/core";
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
import type { AuthorizationResponse } from "../../ports.ts";
import { type Decision, responseTo } from "../rules/decide.ts";
import { type RecordedMessage, eventOfTransaction } from "../rules/event-of-transaction.ts";
import type { LedgerEntry, TransactionRow } from "../store/purchase-rows.ts";
import { insertLedgerEntry } from "../store/settle.ts";

/** Where a change of a transaction comes from. */
export interface ChangeSource {
  platform: EventPlatform;
  /** The owner behind a control of the sandbox; null for the network. */
  actor: Actor["actor"];
}

/** The result of an authorization or an increment: the response to the network, and the transaction. */
export interface DecisionResult {
  response: AuthorizationResponse;
  transaction: TransactionRow;
}

/** The response to a decision, and its transaction. */
export function toDecisionResult(transaction: TransactionRow, decision: Decision): DecisionResult {
  return { response: responseTo(decision), transaction };
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

/** Adds a message to the ledger of its card and its event to the organization's feed, in one statement. */
export async function recordChange(
  source: ChangeSource,
  transaction: Transaction,
  change: RecordedMessage,
): Promise<void> {
  const { platform, actor } = source;
  const feedEvents = feedEventsOf(await eventOrigin(platform, actor), change);
  await insertLedgerEntry(transaction, change.entry, feedEvents);
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
