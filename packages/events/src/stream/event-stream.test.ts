import { refusalOf } from "@purser/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type FeedPosition, feedStart } from "../feed/position.ts";
import type { FollowerAccess } from "./access.ts";
import type { TailEntry } from "./entry.ts";
import { EventStream } from "./event-stream.ts";
import type { FeedTail } from "./tail.ts";

afterEach(() => void vi.useRealTimers());

const entryAt = (recordedAt: number, readAt: number, isReadable = true) =>
  ({
    position: { ...feedStart, recordedAt },
    type: "organization.updated",
    cardId: null,
    createdAt: new Date(0),
    readAt,
    cursor: String(recordedAt),
    event: isReadable ? { id: `evt_${recordedAt}` } : null,
  }) as unknown as TailEntry;

/** A stream whose tail has these entries, and whose caller has access. */
function streamOfEntries(
  entries: readonly TailEntry[],
  access: Pick<FollowerAccess, "check"> = {
    check: async (startedAt) => ({ visibility: "all", startedAt }),
  },
): EventStream {
  const tail: Pick<FeedTail, "start" | "after"> = {
    start: feedStart,
    after: ({ recordedAt }: FeedPosition) =>
      entries.filter(({ position }) => position.recordedAt > recordedAt),
  };
  return new EventStream({
    position: feedStart,
    earlier: new Set(),
    types: [],
    tail: tail as FeedTail,
    access: access as FollowerAccess,
    read: () => expect.unreachable(),
    cursorAt: ({ recordedAt }) => String(recordedAt),
    closed: () => undefined,
  });
}

describe("a stream", () => {
  it("shows an event only by a check that began after it was read, though another stream began the check", async () => {
    const now = performance.now();
    const entries = [entryAt(1, now)];
    const asked: number[] = [];
    const access: Pick<FollowerAccess, "check"> = {
      async check(since) {
        asked.push(since);
        // As if it had begun for another stream, as early as is allowed.
        return { visibility: "all", startedAt: since };
      },
    };
    const stream = streamOfEntries(entries, access);
    expect((await stream.next()).value?.cursor).toBe("1");
    // It was read after the begin of that check, and before its result was there.
    const later = now + Number.EPSILON * now;
    entries.push(entryAt(2, later));
    expect((await stream.next()).value?.cursor).toBe("2");
    expect(asked).toEqual([now, later]);
    await stream.return();
  });

  it("stays before an event that its process cannot read, and ends so that its client tries another one", async () => {
    const now = performance.now();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const stream = streamOfEntries([entryAt(1, now), entryAt(2, now, false), entryAt(3, now)]);
    expect((await stream.next()).value?.cursor).toBe("1");
    const states: string[] = [];
    const next = refusalOf(stream.next()).then((code) => states.push(code));
    await vi.advanceTimersByTimeAsync(29_999);
    expect(states).toEqual([]);
    expect(stream.cursor).toBe("1");
    await vi.advanceTimersByTimeAsync(1);
    await next;
    expect(states).toEqual(["UNAVAILABLE"]);
    expect(stream.cursor).toBe("1");
  });

  it("ends at once although it stays before an event that its process cannot read", async () => {
    const stream = streamOfEntries([entryAt(1, performance.now(), false)]);
    const next = stream.next();
    // By then the check of access has ended.
    await new Promise((resolve) => void setImmediate(resolve));
    stream.end();
    expect(await next).toEqual({ done: true, value: undefined });
  });
});
