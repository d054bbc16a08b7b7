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
  const feedEvents = feedEventsOf(await eventOrigin(platform, actor), change);
  await insertEntry(transaction, change.entry, feedEvents);
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
