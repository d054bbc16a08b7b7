import { comparePositions, type FeedPosition } from "../feed/position.ts";
import { pageOctets } from "../store.ts";
import type { TailEntry } from "./entry.ts";

/** Events that a tail reads, as `EventStreams` supplies them. */
export interface ReadPage {
  entries: readonly TailEntry[];
  hasMore: boolean;
  isBlocked: boolean;
}

interface Options {
  /** The place after everything that the feed shows. */
  start: FeedPosition;
  read: (after: FeedPosition) => Promise<ReadPage>;
  /** Called when there are new entries. */
  advanced: () => void;
}

/** Events of a burst are read, checked and sent together. */
const collectMs = 20;
/** How often a tail looks without an announcement. */
const lookMs = 5000;
/** How soon it looks again at events that another transaction holds up. Doubles up to the maximum. */
const backoffMs = 20;
const maxBackoffMs = 500;
/** Streams that are further behind read by themselves. */
const keptMs = 5000;
const keptEntries = 500;
/** Of stored data. The newest entry is kept, however large. */
const keptOctets = 2 * pageOctets;

/** The newest events of an organization, read once for all of its streams. */
export class FeedTail {
  readonly #read: Options["read"];
  readonly #advanced: Options["advanced"];
  /** In the order of the feed. Nothing is missing between the start and the end. */
  #entries: TailEntry[] = [];
  #start: FeedPosition;
  #end: FeedPosition;
  #timer: NodeJS.Timeout | undefined;
  #dueAt = Infinity;
  #isReading = false;
  #isAnnounced = false;
  #backoffMs = backoffMs;
  #isClosed = false;

  constructor({ start, read, advanced }: Options) {
    this.#read = read;
    this.#advanced = advanced;
    this.#start = start;
    this.#end = start;
    this.look();
  }

  /** Streams before this place read by themselves. */
  get start(): FeedPosition {
    return this.#start;
  }

  /** Returns the entries after a place that is not before the start. */
  after(position: FeedPosition): readonly TailEntry[] {
    if (comparePositions(position, this.#end) >= 0) return [];
    const first = this.#entries.findIndex((entry) => comparePositions(entry.position, position) > 0);
    return first === -1 ? [] : this.#entries.slice(first);
  }

  /** Reads what is new, soon. */
  look(): void {
    this.#isAnnounced = true;
    if (!this.#isReading) this.#lookIn(collectMs);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #lookIn(ms: number): void {
    const dueAt = performance.now() + ms;
    if (this.#isClosed || this.#dueAt <= dueAt) return;
    this.#dueAt = dueAt;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#run(), ms).unref();
  }

  async #run(): Promise<void> {
    this.#dueAt = Infinity;
    this.#isReading = true;
    this.#isAnnounced = false;
    const { hasMore, isBlocked } = await this.#next();
    this.#isReading = false;
    if (this.#isAnnounced || hasMore) this.#lookIn(collectMs);
    else if (isBlocked) this.#lookIn(this.#backoffMs);
    else this.#lookIn(lookMs);
    this.#backoffMs = isBlocked ? Math.min(2 * this.#backoffMs, maxBackoffMs) : backoffMs;
  }

  async #next(): Promise<Pick<ReadPage, "hasMore" | "isBlocked">> {
    try {
      const page = await this.#read(this.#end);
      this.#forgetOld();
      if (page.entries.length > 0) this.#append(page.entries);
      return page;
    } catch {
      // The database is away. A look in a moment finds out whether it is back.
      return { hasMore: false, isBlocked: true };
    }
  }

  #append(entries: readonly TailEntry[]): void {
    this.#entries.push(...entries);
    this.#end = entries.at(-1)!.position;
    this.#forget(this.#firstKept());
    if (!this.#isClosed) this.#advanced();
  }

  #firstKept(): number {
    let first = this.#entries.length - 1;
    let octets = this.#entries[first]!.octets;
    const end = Math.max(0, this.#entries.length - keptEntries);
    while (first > end && (octets += this.#entries[first - 1]!.octets) <= keptOctets) first -= 1;
    return first;
  }

  #forgetOld(): void {
    const oldest = performance.now() - keptMs;
    const firstKept = this.#entries.findIndex(({ readAt }) => readAt >= oldest);
    this.#forget(firstKept === -1 ? this.#entries.length : firstKept);
  }

  #forget(count: number): void {
    if (count <= 0) return;
    this.#start = this.#entries[count - 1]!.position;
    this.#entries = this.#entries.slice(count);
  }
}
