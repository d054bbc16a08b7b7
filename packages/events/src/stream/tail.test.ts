import { firstIdAt } from "@purser/core";
import { describe, expect, it, vi } from "vitest";
import { feedStart } from "../feed/position.ts";
import { type StoredEvent, pageOctets } from "../store.ts";
import { TailEntry } from "./entry.ts";
import { FeedTail } from "./tail.ts";

function entryOf(recordedAt: number, octets: number): TailEntry {
  const id = `${firstIdAt("evt", new Date(0))}${recordedAt}`;
  const place = { era: 1, transactionId: "1", recordedAt, id };
  const stored = { ...place, data: "x".repeat(octets), createdAt: new Date(0) } as StoredEvent;
  return new TailEntry(stored, { read: () => null, issuedAt: new Date(0) });
}

/** Returns the places of the entries that a tail keeps of those that it has read in pages of this many. */
async function keptOf(entries: readonly TailEntry[], perPage: number): Promise<number[]> {
  let read = 0;
  const tail = new FeedTail({
    start: feedStart,
    read: async () => {
      const page = entries.slice(read, (read += perPage));
      return { entries: page, hasMore: read < entries.length, isBlocked: false };
    },
    advanced: () => undefined,
  });
  const last = entries.at(-1)!;
  await vi.waitFor(() => expect(tail.after(tail.start).at(-1)).toBe(last), 60_000);
  tail.close();
  return tail.after(tail.start).map(({ position }) => position.recordedAt);
}

describe("a tail", () => {
  it("keeps the newest of large entries, as many as two pages hold", async () => {
    const entries = Array.from({ length: 12 }, (_, nth) => entryOf(nth, 0.4 * pageOctets));
    expect(await keptOf(entries, 3)).toEqual([7, 8, 9, 10, 11]);
  });

  it("keeps the newest entry, however large", async () => {
    const entries = Array.from({ length: 3 }, (_, nth) => entryOf(nth, 3 * pageOctets));
    expect(await keptOf(entries, 1)).toEqual([2]);
  });

  it("keeps 500 small entries", async () => {
    const entries = Array.from({ length: 700 }, (_, nth) => entryOf(nth, 100));
    expect(await keptOf(entries, 200)).toHaveLength(500);
  });
});
