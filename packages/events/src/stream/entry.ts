import type { EventType } from "@purser/core";
import type { Keyring } from "@purser/platform";
import { Event } from "../contract.ts";
import { type FeedPosition, encodeCursor } from "../feed/position.ts";
import type { StoredEvent } from "../store.ts";
import { openEvent } from "../stored-event.ts";

/** An event of the feed in memory. All streams share it, so it is opened and checked once. */
export class TailEntry {
  readonly position: FeedPosition;
  readonly type: EventType;
  readonly cardId: string | null;
  readonly createdAt: Date;
  /** The size of its stored data. */
  readonly octets: number;
  /** When it was read, as `performance.now()`. */
  readonly readAt = performance.now();
  readonly #stored: StoredEvent;
  readonly #keys: Keyring;
  readonly #issuedAt: Date;
  #event: Event | undefined;
  #cursor: string | undefined;

  /** @param issuedAt The date of the cursor after the event */
  constructor(stored: StoredEvent, { keys, issuedAt }: { keys: Keyring; issuedAt: Date }) {
    const { era, transactionId, recordedAt, id, type, cardId, createdAt, data } = stored;
    this.position = { era, transactionId, recordedAt, id };
    this.type = type;
    this.cardId = cardId;
    this.createdAt = createdAt;
    this.octets = Buffer.byteLength(data);
    this.#stored = stored;
    this.#keys = keys;
    this.#issuedAt = issuedAt;
  }

  /** The place after this event. */
  get cursor(): string {
    const { organizationId } = this.#stored;
    return (this.#cursor ??= encodeCursor({
      organizationId,
      position: this.position,
      issuedAt: this.#issuedAt,
    }));
  }

  /** The event as its contract has it. Throws if the row violates that, as one of a later version may. */
  get event(): Event {
    return (this.#event ??= frozen(Event.parse(openEvent(this.#keys, this.#stored))));
  }
}

/** A reader in this process must not change what others read. */
function frozen<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  for (const member of Object.values(value)) frozen(member);
  return Object.freeze(value);
}
