import type { Transaction } from "@purser/db";
import { afterCommit } from "@purser/db";
import { type Actor, actorOf } from "../callers.ts";
import type { CallerContext, Platform } from "../context.ts";
import { writeRecord } from "../records.ts";
import { type EventContract, type EventOrigin, type NewEvent, eventRow } from "./rows.ts";

/** What recording an event takes of the platform: the keys seal what the feed must not store in clear. */
export type EventPlatform = Pick<Platform, "clock" | "eventLog"> & {
  settings: Pick<Platform["settings"], "encryptionKeys">;
};

/**
 * Adds an event of the caller to its organization's feed, in the transaction of the change.
 *
 * @example
 * await recordEvent<OrganizationEvent>(ctx, transaction, { organizationId, type: "organization.updated", subject, data });
 */
export function recordEvent<Contract extends EventContract>(
  ctx: CallerContext,
  transaction: Transaction,
  event: NewEvent<Contract>,
): Promise<void> {
  return recordEvents(ctx, transaction, actorOf(ctx), [event]);
}

/**
 * Adds events in their order. They are written at the end of the transaction. The actor is null for what a bank, a network,
 * a provider or a schedule did.
 */
export async function recordEvents<Contract extends EventContract>(
  platform: EventPlatform,
  transaction: Transaction,
  actor: Actor,
  recorded: readonly NewEvent<Contract>[],
): Promise<void> {
  if (recorded.length === 0) return;
  const origin = await eventOrigin(platform, actor);
  for (const event of recorded) writeRecord(transaction, { event: eventRow(origin, event) });
  announceAfterCommit(platform, transaction, recorded);
}

/** Returns what all events of one change have in common: the time, the actor, the era, and the keys that seal them. */
export async function eventOrigin(
  { clock, eventLog, settings }: EventPlatform,
  actor: Actor,
): Promise<EventOrigin> {
  const { base } = await eventLog.eras();
  return { keys: settings.encryptionKeys, eraBase: base, createdAt: clock.now(), actor };
}

/** Announces events after the commit of their transaction. */
export function announceAfterCommit(
  { eventLog }: Pick<EventPlatform, "eventLog">,
  transaction: Transaction,
  recorded: readonly { organizationId: string }[],
): void {
  if (recorded.length === 0) return;
  const organizations = new Set(recorded.map(({ organizationId }) => organizationId));
  afterCommit(transaction, () => eventLog.announce(organizations));
}
