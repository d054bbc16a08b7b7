import { problemOf } from "@purser/testing";
import { vi } from "vitest";
import type { Event } from "../contract.ts";

/** Reads a stream in the background. */
export interface StreamReader {
  /** The names of the organization in the events so far, or else the events' types. */
  seen: string[];
  /** The cursor of the last event, or of the beginning. */
  cursor: () => string;
  /** The code with which the stream ended. */
  ended: Promise<string>;
  /** Stops reading. */
  stop: () => Promise<unknown>;
  /** Waits until this many events have been seen. */
  until: (count: number) => Promise<void>;
}

/** Starts to read a stream that a caller in process has opened. */
export function readStream(stream: AsyncIterable<{ id: string; data: Event }>): StreamReader {
  const events = stream[Symbol.asyncIterator]();
  const seen: string[] = [];
  let { cursor } = stream as unknown as { cursor: string };
  const read = async () => {
    for await (const { id, data } of stream) {
      cursor = id;
      seen.push(nameOfEvent(data));
    }
    return "over";
  };
  return {
    seen,
    cursor: () => cursor,
    ended: read().catch((error: unknown) => problemOf(error).code),
    stop: () => events.return!(),
    until: async (count) => {
      // Transactions in any database of the server may hold up the feed.
      await vi.waitUntil(() => seen.length >= count, { timeout: 60_000, interval: 2 });
    },
  };
}

export const nameOfEvent = (event: Event): string =>
  event.type === "organization.updated" ? event.data.name : event.type;
