import type { Keyring } from "@purser/platform";
import { openEvent } from "../stored-event.ts";
import type { StoredEvent } from "../store.ts";
import { openTestBody } from "../webhook-endpoints/secret.ts";

export interface BodySource {
  organizationId: string;
  /** The id of the delivery. */
  id: string;
  testBody: string | null;
  /** Null if the event was deleted, or is no event of the feed. */
  event: StoredEvent | null;
}

/**
 * Returns the body of a delivery, the same at every attempt; null if its event is not kept any more. The event has the
 * form in which REST shows it to an owner.
 */
export function webhookBody(
  keys: Keyring,
  { organizationId, id, testBody, event }: BodySource,
): string | null {
  if (testBody !== null) return openTestBody(keys, testBody, { organizationId, id });
  if (event === null) return null;
  const data = openEvent(keys, event);
  return JSON.stringify({ type: data.type, timestamp: data.createdAt, data });
}
