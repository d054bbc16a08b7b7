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
import { type RecordedMessage, eventOfTransaction } from "../rules/event-of-transaction.ts";
import type { AuthorizationResponse, CardMessage } from "../../ports.ts";
import type { Windows } from "../rules/windows.ts";
import type { DecisionContext } from "../store/decision-context.ts";
import type { TransactionRow } from "../store/decisions.ts";
import { insertEntry } from "../store/settle.ts";

/** Who records a message of the network. */
export interface Recorder {
  platform: EventPlatform;
  /** The owner behind a control of the sandbox; null for the network. */
  actor: Actor["actor"];
}

/** Adds a message to the ledger of its card and its event to the organization's feed, in one statement. */
export async function recordChange(
  recorder: Recorder,
  transaction: Transaction,
  change: RecordedMessage,
): Promise<void> {
  const { platform, actor } = recorder;
  const feed = feedOf(await eventOrigin(platform, actor), change);
  await insertEntry(transaction, change.entry, feed);
  announceAfterCommit(platform, transaction, feed);
}

/** What a change adds to the organization's feed: one event, or none if nothing changed. */
export function feedOf(
  origin: EventOrigin,
  change: RecordedMessage,
  { isCreation = false } = {},
): NewEventRow[] {
  const event = eventOfTransaction(change);
  return event === null ? [] : [eventRow(origin, event, { isCreation })];
}

type NewPurchase = Omit<Extract<CardMessage, { kind: "authorization" }>, "kind" | "networkId" | "card">;

/** A hold ends after seven days unless the message has another end, as those of airlines, car rental and lodging do. */
const defaultHoldMs = 7 * 24 * 60 * 60 * 1000;

/**
 * The transaction that a decision creates. An approval holds the whole amount, or the approved part of it. An approved
 * verification of the card, with an amount of 0, holds nothing and is final at once.
 */
export function newTransactionRow(
  {
    organizationId,
    id: cardId,
    holderId,
  }: Pick<DecisionContext["card"], "organizationId" | "id" | "holderId">,
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
    expiresAt: isPending ? (message.expiresAt ?? new Date(now.getTime() + defaultHoldMs)) : null,
  };
}
