import type { EventType } from "@purser/core";
import type { Event } from "../contract.ts";
import { type FeedPosition, encodeCursor } from "../feed/position.ts";
import type { StoredEvent } from "../store.ts";

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
  readonly #read: (stored: StoredEvent) => Event | null;
  readonly #issuedAt: Date;
  #event: Event | null | undefined;
  #cursor: string | undefined;

  /** @param issuedAt The date of the cursor after the event */
  constructor(
    stored: StoredEvent,
    { read, issuedAt }: { read: (stored: StoredEvent) => Event | null; issuedAt: Date },
  ) {
    const { era, transactionId, recordedAt, id, type, cardId, createdAt, data } = stored;
    this.position = { era, transactionId, recordedAt, id };
    this.type = type;
    this.cardId = cardId;
    this.createdAt = createdAt;
    this.octets = Buffer.byteLength(data);
    this.#stored = stored;
    this.#read = read;
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

  /** Null if this process cannot read it. */
  get event(): Event | null {
    if (this.#event === undefined) this.#event = frozen(this.#read(this.#stored));
    return this.#event;
  }
}

/** A reader in this process must not change what others read. */
function frozen<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  for (const member of Object.values(value)) frozen(member);
  return Object.freeze(value);
}
