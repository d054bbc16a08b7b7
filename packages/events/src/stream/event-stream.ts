import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { EventType, Problem } from "@purser/core";
import type { Event } from "../contract.ts";
import { type FeedPosition, comparePositions } from "../feed/position.ts";
import { nextEventUnreadable } from "../stored-event.ts";
import { type Visibility, isVisible } from "../visibility.ts";
import type { FollowerAccess } from "./access.ts";
import type { TailEntry } from "./entry.ts";
import type { FeedTail, ReadPage } from "./tail.ts";

/** An event, and the cursor with which a stream continues after it. */
export interface StreamedEvent {
  cursor: string;
  event: Event;
}

interface Parts {
  position: FeedPosition;
  /** The ids of events after it that the stream leaves out. */
  earlier: ReadonlySet<string>;
  /** Empty for all. */
  types: readonly EventType[];
  tail: FeedTail;
  access: FollowerAccess;
  /** Reads the feed where the tail no longer has it. */
  read: (after: FeedPosition) => Promise<ReadPage>;
  /** `isInBacklog` tells whether there are events after the position already. */
  cursorAt: (position: FeedPosition, isInBacklog: boolean) => string;
  /** Called once, when the stream ends for any reason. */
  closed: () => void;
}

/** How long a check of access holds while the reader takes its time. */
const validMs = 1000;
/** The pause after a failed read. */
const retryMs = 500;
/** How long a stream stays before an event that this process cannot read. */
const unreadableMs = 30_000;

/**
 * The events of an organization that a caller may see, as they happen, until the reader returns. It holds no events but
 * those of one batch: a slow reader falls behind, and reads the feed from where it is.
 */
export class EventStream implements AsyncIterableIterator<StreamedEvent, undefined, undefined> {
  readonly #parts: Parts;
  /** The reader is in a request, whose trace would otherwise go on for as long as the stream. */
  readonly #outsideOfReader = AsyncLocalStorage.snapshot();
  #position: FeedPosition;
  #batch: readonly TailEntry[] = [];
  #index = 0;
  #visibility: Visibility | undefined;
  #checkedAt = -Infinity;
  /** Whether a read or a check runs, or the stream waits for its end. Each wakes the reader afterwards. */
  #isBusy = false;
  #isClosed = false;
  #failure: unknown;
  #wake: (() => void) | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#position = parts.position;
  }

  /** The place of the stream in the feed. It also passes events that the caller does not see. */
  get cursor(): string {
    const { tail, cursorAt } = this.#parts;
    const isInBacklog = this.#isBehind() || tail.after(this.#position).length > 0;
    return cursorAt(this.#position, isInBacklog);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Rejects with UNAUTHENTICATED, ORGANIZATION_NOT_FOUND and their like when the caller has lost access. */
  async next(): Promise<IteratorResult<StreamedEvent, undefined>> {
    for (;;) {
      if (this.#failure !== undefined) throw this.#takeFailure();
      if (this.#isClosed) return { done: true, value: undefined };
      const value = this.#step();
      if (value !== undefined) return { done: false, value };
      if (!this.#isClosed) await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  async return(): Promise<IteratorResult<StreamedEvent, undefined>> {
    this.end();
    return { done: true, value: undefined };
  }

  /** There may be something new. */
  wake(): void {
    this.#wake?.();
  }

  /** Ends the stream. The reader gets the failure, if there is one. */
  end(failure?: Problem): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#failure = failure;
    this.#batch = [];
    this.#parts.closed();
    this.wake();
  }

  #takeFailure(): unknown {
    const failure = this.#failure;
    this.#failure = undefined;
    return failure;
  }

  /** Returns the next event, or undefined if there is none yet. */
  #step(): StreamedEvent | undefined {
    while (!this.#isBusy && !this.#isClosed) {
      const entry = this.#batch[this.#index];
      if (entry === undefined) {
        if (!this.#refill()) return undefined;
      } else if (this.#isWanted(entry) && !this.#isChecked(entry)) {
        this.#check(entry);
      } else {
        const isShown = this.#isWanted(entry) && isVisible(this.#visibility!, entry);
        const event = isShown ? entry.event : undefined;
        if (event === null) {
          this.#endBeforeUnreadable();
          return undefined;
        }
        this.#index += 1;
        this.#position = entry.position;
        if (event !== undefined) return { cursor: entry.cursor, event };
      }
    }
    return undefined;
  }

  /** Ends the stream later, because its client connects again at once, perhaps to a process that cannot read it either. */
  #endBeforeUnreadable(): void {
    this.#isBusy = true;
    setTimeout(() => this.end(nextEventUnreadable()), unreadableMs).unref();
  }

  #isWanted({ type, position }: TailEntry): boolean {
    const { types, earlier } = this.#parts;
    return (types.length === 0 || types.includes(type)) && !earlier.has(position.id);
  }

  #isChecked({ readAt }: TailEntry): boolean {
    return this.#checkedAt >= readAt && performance.now() - this.#checkedAt < validMs;
  }

  /** Takes what the tail has. Returns false if that is nothing yet. */
  #refill(): boolean {
    const { tail } = this.#parts;
    const isBehind = this.#isBehind();
    this.#batch = isBehind ? [] : tail.after(this.#position);
    this.#index = 0;
    if (isBehind) this.#catchUp();
    return isBehind || this.#batch.length > 0;
  }

  /** Whether the stream reads by itself what the tail no longer has. */
  #isBehind(): boolean {
    return comparePositions(this.#position, this.#parts.tail.start) < 0;
  }

  #catchUp(): void {
    const { tail, read } = this.#parts;
    const { start } = tail;
    this.#run(async () => {
      const { entries } = await read(this.#position);
      // The events in between have been deleted.
      if (entries.length === 0) this.#position = start;
      if (!this.#isClosed) this.#batch = entries;
    });
  }

  #check({ readAt }: TailEntry): void {
    this.#run(async () => {
      const checked = await this.#parts.access.check(readAt);
      if (checked === null) return;
      this.#visibility = checked.visibility;
      this.#checkedAt = checked.startedAt;
    });
  }

  /** Runs a step that the reader waits for, and wakes it. A failed step runs again after a pause. */
  #run(work: () => Promise<void>): void {
    this.#isBusy = true;
    void this.#outsideOfReader(() => this.#settle(work));
  }

  async #settle(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch {
      // The database is away.
      await sleep(retryMs, undefined, { ref: false });
    }
    this.#isBusy = false;
    this.wake();
  }
}
