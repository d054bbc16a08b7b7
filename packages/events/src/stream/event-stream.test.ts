import { describe, expect, it } from "vitest";
import { type FeedPosition, feedStart } from "../feed/position.ts";
import type { FollowerAccess } from "./access.ts";
import type { TailEntry } from "./entry.ts";
import { EventStream } from "./event-stream.ts";
import type { FeedTail } from "./tail.ts";

const entryAt = (recordedAt: number, readAt: number) =>
  ({
    position: { ...feedStart, recordedAt },
    type: "organization.updated",
    cardId: null,
    createdAt: new Date(0),
    readAt,
    cursor: String(recordedAt),
    event: { id: `evt_${recordedAt}` },
  }) as unknown as TailEntry;

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
    const tail: Pick<FeedTail, "start" | "after"> = {
      start: feedStart,
      after: ({ recordedAt }: FeedPosition) =>
        entries.filter(({ position }) => position.recordedAt > recordedAt),
    };
    const stream = new EventStream({
      position: feedStart,
      earlier: new Set(),
      types: [],
      tail: tail as FeedTail,
      access: access as FollowerAccess,
      read: () => expect.unreachable(),
      cursorAt: ({ recordedAt }) => String(recordedAt),
      closed: () => undefined,
    });
    expect((await stream.next()).value?.cursor).toBe("1");
    // It was read after the begin of that check, and before its result was there.
    const later = now + Number.EPSILON * now;
    entries.push(entryAt(2, later));
    expect((await stream.next()).value?.cursor).toBe("2");
    expect(asked).toEqual([now, later]);
    await stream.return();
  });
});
