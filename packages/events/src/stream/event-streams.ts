import { AsyncLocalStorage } from "node:async_hooks";
import { Problem } from "@purser/core";
import type { MemberContext } from "@purser/organizations";
import { type Platform, callerId, createConcurrencyLimit } from "@purser/platform";
import type { z } from "zod";
import type { StreamEvents } from "../contract.ts";
import { type FeedPosition, comparePositions, encodeCursor } from "../feed/position.ts";
import { requireNotAhead, requirePosition } from "../feed/require-position.ts";
import { dateInBacklog } from "../feed/retention.ts";
import type { EventListener } from "../listener.ts";
import { type StoredEvent, findFeedEnd, findIdsAfter, readTail } from "../store.ts";
import { readEvent } from "../stored-event.ts";
import { FollowerAccess } from "./access.ts";
import { TailEntry } from "./entry.ts";
import { EventStream } from "./event-stream.ts";
import { FeedTail, type ReadPage } from "./tail.ts";

type Parts = Pick<Platform, "db" | "clock" | "eventLog" | "logger"> & {
  settings: Pick<Platform["settings"], "encryptionKeys" | "eventRetentionDays" | "httpLimits">;
  eventListener: EventListener;
};

/** How many streams one credential may have open in a process. */
export const maxPerCredential = 20;
/** The statements that streams run at a time. The rest of the pool is for requests. */
const concurrentReads = 4;
const pageSize = 200;
const retrySeconds = 5;

/** All streams of a process into one organization. */
interface FollowedOrganization {
  tail: FeedTail;
  streams: Set<EventStream>;
  /** By the caller's credential. */
  access: Map<string, { access: FollowerAccess; streams: Set<EventStream> }>;
}

interface Start {
  key: string;
  /** The place after everything that the feed shows. */
  end: FeedPosition;
  /** Where the stream begins. */
  from: FeedPosition;
  /** The events after it that the stream leaves out. */
  earlier: readonly string[];
  signal: AbortSignal | undefined;
}

/** The streams of events that are open in this process. */
export class EventStreams {
  readonly #parts: Parts;
  readonly #organizations = new Map<string, FollowedOrganization>();
  /** The number of open streams by credential. */
  readonly #open = new Map<string, number>();
  readonly #limit = createConcurrencyLimit(concurrentReads);
  /** What a stream does after it was opened is of no request, so it is in no trace of one. */
  readonly #outsideOfRequests = AsyncLocalStorage.snapshot();
  #size = 0;
  #unsubscribe: (() => void) | undefined;
  #isDraining = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The number of open streams. */
  get size(): number {
    return this.#size;
  }

  /** The most streams of the process. The other half of its connections is for requests. */
  get maximum(): number {
    return Math.floor(this.#parts.settings.httpLimits.maxConnections / 2);
  }

  /**
   * Opens a stream of the events that the caller may see. It begins after `lastEventId` or, without one, now. End it with
   * `return`, or by the signal.
   *
   * Throws CURSOR_EXPIRED, and RATE_LIMITED or UNAVAILABLE if there are too many streams.
   */
  async open(
    ctx: MemberContext,
    input: z.output<typeof StreamEvents>,
    signal?: AbortSignal,
  ): Promise<EventStream> {
    const { organizationId, lastEventId: text } = input;
    const from = text && requirePosition(this.#parts, { organizationId, text, field: "lastEventId" });
    const key = keyOf(ctx);
    this.#take(key);
    try {
      const end = await this.#findEnd(organizationId);
      if (from && comparePositions(from, end) > 0)
        await this.#schedule(() => requireNotAhead(this.#parts.db, from));
      // A stream that begins now leaves out what has happened and what the feed does not show yet.
      const earlier = from ? [] : await this.#findAfter(organizationId, end);
      signal?.throwIfAborted();
      if (this.#isDraining) throw stopping();
      const start = { key, end, from: from || end, earlier, signal };
      return this.#outsideOfRequests(() => this.#follow(ctx, input, start));
    } catch (error) {
      this.#release(key);
      throw error;
    }
  }

  /** Ends all streams, and opens no more. */
  drain(): void {
    this.#isDraining = true;
    for (const { streams } of this.#organizations.values()) for (const stream of streams) stream.end();
    this.#unsubscribe?.();
  }

  #schedule<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#limit("", work);
  }

  #take(key: string): void {
    if (this.#isDraining) throw stopping();
    const open = this.#open.get(key) ?? 0;
    if (open >= maxPerCredential) {
      throw new Problem("RATE_LIMITED", {
        detail: `This credential has ${maxPerCredential} streams open. Close one first.`,
        retryAfterSeconds: retrySeconds,
      });
    }
    if (this.#size >= this.maximum) {
      throw new Problem("UNAVAILABLE", {
        detail: "The service has too many streams open. Try again in a moment.",
        retryAfterSeconds: retrySeconds,
      });
    }
    this.#open.set(key, open + 1);
    this.#size += 1;
  }

  #release(key: string): void {
    const open = this.#open.get(key)! - 1;
    if (open === 0) this.#open.delete(key);
    else this.#open.set(key, open);
    this.#size -= 1;
  }

  /** Everything from here on happens at once, so that the stream joins the tail without a gap. */
  #follow(
    ctx: MemberContext,
    { organizationId, types = [] }: z.output<typeof StreamEvents>,
    { key, end, from, earlier, signal }: Start,
  ): EventStream {
    const organization = this.#organizations.get(organizationId) ?? this.#followed(organizationId, end);
    const shared = organization.access.get(key) ?? this.#accessOf(ctx, key, organization);
    const stream = new EventStream({
      position: from,
      earlier: new Set(earlier),
      types,
      tail: organization.tail,
      access: shared.access,
      read: (after) => this.#read(organizationId, after),
      cursorAt: (position, isInBacklog) =>
        encodeCursor({ organizationId, position, issuedAt: this.#dateOf(position, isInBacklog) }),
      closed: () => {
        signal?.removeEventListener("abort", abort);
        this.#release(key);
        shared.streams.delete(stream);
        if (shared.streams.size === 0) {
          shared.access.close();
          organization.access.delete(key);
        }
        organization.streams.delete(stream);
        if (organization.streams.size === 0) {
          organization.tail.close();
          this.#organizations.delete(organizationId);
        }
      },
    });
    const abort = () => stream.end();
    signal?.addEventListener("abort", abort);
    shared.streams.add(stream);
    organization.streams.add(stream);
    return stream;
  }

  #followed(organizationId: string, start: FeedPosition): FollowedOrganization {
    const streams = new Set<EventStream>();
    const tail = new FeedTail({
      start,
      read: (after) => this.#read(organizationId, after),
      advanced: () => {
        for (const stream of streams) stream.wake();
      },
    });
    const followed = { tail, streams, access: new Map() };
    this.#organizations.set(organizationId, followed);
    this.#unsubscribe ??= this.#parts.eventListener.subscribe(
      (id) => this.#organizations.get(id)?.tail.look(),
      () => {
        for (const organization of this.#organizations.values()) organization.tail.look();
      },
    );
    return followed;
  }

  #accessOf(ctx: MemberContext, key: string, { access: all }: FollowedOrganization) {
    const { organizationId } = ctx.membership;
    const { caller, credential } = ctx;
    const streams = new Set<EventStream>();
    const parts = { ...this.#parts, schedule: this.#schedule.bind(this) };
    const authenticate = async () => {
      const present = credential ? await credential.resolve() : caller;
      if (present === null) throw new Problem("UNAUTHENTICATED");
      return present;
    };
    const access = new FollowerAccess(parts, { organizationId, caller, authenticate }, (problem) => {
      for (const stream of streams) stream.end(problem);
    });
    const shared = { access, streams };
    all.set(key, shared);
    return shared;
  }

  async #findEnd(organizationId: string): Promise<FeedPosition> {
    const { first } = await this.#parts.eventLog.eras();
    return this.#schedule(() => findFeedEnd(this.#parts.db, organizationId, first));
  }

  #findAfter(organizationId: string, position: FeedPosition): Promise<string[]> {
    return this.#schedule(() => findIdsAfter(this.#parts.db, organizationId, position));
  }

  async #read(organizationId: string, after: FeedPosition): Promise<ReadPage> {
    const { db, eventLog } = this.#parts;
    const { first } = await eventLog.eras();
    const page = { after, firstEra: first, limit: pageSize };
    const { events, ...rest } = await this.#schedule(() => readTail(db, organizationId, page));
    const read = (stored: StoredEvent) => readEvent(this.#parts, stored);
    const last = rest.hasMore ? undefined : events.at(-1);
    const entries = events.map(
      (event) => new TailEntry(event, { read, issuedAt: this.#dateOf(event, event !== last) }),
    );
    return { entries, ...rest };
  }

  #dateOf(position: FeedPosition, isInBacklog: boolean): Date {
    return isInBacklog ? dateInBacklog(this.#parts, position) : this.#parts.clock.now();
  }
}

/** In process, the caller stands for the credential. */
const keyOf = ({ caller, credential }: MemberContext): string =>
  credential ? `${callerId(caller)} ${credential.fingerprint()}` : callerId(caller);

const stopping = () =>
  new Problem("UNAVAILABLE", {
    detail: "The service is stopping. Try again in a moment.",
    retryAfterSeconds: 1,
  });
