import { type Logger, Problem, errorText, eventSubjects } from "@purser/core";
import type { Keyring, Platform } from "@purser/platform";
import { openEventData } from "@purser/platform/events";
import { Event } from "./contract.ts";
import type { StoredEvent } from "./store.ts";

/** Returns the event of a row as its contract has it. Throws if this process cannot read it. */
export function openEvent(keys: Keyring, stored: StoredEvent): Event {
  const { id, organizationId, type, subjectId, actorId, actorName, createdAt } = stored;
  return Event.parse({
    id,
    organizationId,
    type,
    createdAt,
    actor: actorId === null ? null : { id: actorId, name: actorName ?? "" },
    subject: { type: eventSubjects[type], id: subjectId },
    data: openEventData(keys, stored),
  });
}

/**
 * Returns the event of a row, or null if this process cannot read it. A process of a later version, or with another key, may.
 * So a reader of the feed must not pass it.
 */
export function readEvent(
  { settings, logger }: Pick<Platform, "logger"> & { settings: Pick<Platform["settings"], "encryptionKeys"> },
  stored: StoredEvent,
): Event | null {
  try {
    return openEvent(settings.encryptionKeys, stored);
  } catch (error) {
    warnOfUnreadable(logger, { eventId: stored.id, eventType: stored.type }, error);
    return null;
  }
}

/** What a reader of the feed gets in place of an event that this process cannot read. */
export function nextEventUnreadable(): Problem {
  return new Problem("UNAVAILABLE", {
    detail:
      "This process of the service cannot read the next event, but another one may. Try again in a moment.",
    retryAfterSeconds: 5,
  });
}

/** The types that each logger has warned of. While versions differ, there may be very many such events. */
const warnedTypes = new WeakMap<Logger, Set<string>>();

/** Logs once per type that events cannot be read. */
export function warnOfUnreadable(
  logger: Logger,
  { eventId, eventType }: { eventId: string; eventType: string },
  error: unknown,
): void {
  const warned = warnedTypes.get(logger) ?? new Set();
  warnedTypes.set(logger, warned);
  if (warned.has(eventType)) return;
  warned.add(eventType);
  logger.warn(
    { eventId, eventType, reason: errorText(error) },
    "An event cannot be read; the feed, streams and deliveries wait for a process that can",
  );
}
