import { setTimeout as sleep } from "node:timers/promises";
import type { Caller } from "@purser/platform";
import { type Person, type TestPurser, createTestPurser, day, hour, refusalOf } from "@purser/testing";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { recordNamesOf } from "../testing/record-names.ts";
import { type StreamReader, nameOfEvent, readStream } from "../testing/stream-reader.ts";

let purser: TestPurser;
let owner: Person;
let organizationId: string;
const over: (() => unknown)[] = [];

beforeAll(async () => {
  purser = await createTestPurser();
});
afterAll(() => purser.close());
beforeEach(async () => {
  owner = await purser.person();
  organizationId = await purser.organization(owner);
});
afterEach(async () => {
  for (const end of over.splice(0)) await end();
  expect(purser.platform.eventStreams.size).toBe(0);
});

/** Opens a stream and reads it. */
async function follow(input: object = {}, caller: Caller = owner): Promise<StreamReader> {
  const reader = readStream(await purser.as(caller).events.stream({ organizationId, ...input }));
  over.push(reader.stop);
  return reader;
}

const open = async (request: { signal?: AbortSignal } = {}) =>
  (await purser.as(owner, request).events.stream({ organizationId }))[Symbol.asyncIterator]();
const rename = (name: string) => purser.as(owner).organizations.update({ id: organizationId, name });

/** Records events with these names in one transaction, which commits when `until` has settled. */
function recordNames(names: readonly string[], until?: () => Promise<unknown>) {
  return recordNamesOf(purser.platform, organizationId, names, until);
}

/** Ends the connections that listen for announcements. Returns their processes. */
async function endListeners(): Promise<number[]> {
  const ended = await purser.db.execute<{ pid: number }>(
    sql`SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'purser listener'`,
  );
  return ended.map(({ pid }) => pid);
}

/** The processes that listen for announcements. */
async function listeners(): Promise<number[]> {
  const listening = await purser.db.execute<{ pid: number }>(
    sql`SELECT pid FROM pg_stat_activity WHERE datname = current_database()
      AND application_name = 'purser listener' AND query LIKE 'LISTEN%' AND state = 'idle'`,
  );
  return listening.map(({ pid }) => pid);
}

describe("events.stream", () => {
  it("shows what happens from now on, in order", async () => {
    await rename("Before");
    const { seen, until } = await follow();
    await rename("One");
    await rename("Two");
    await until(2);
    expect(seen).toEqual(["One", "Two"]);
  });

  it("gives the events of the feed, and other streams cannot change them", async () => {
    const stream = await open();
    await rename("One");
    const { id: cursor, data: event } = (await stream.next()).value!;
    const feed = await purser.as(owner).events.feed({ organizationId });
    expect(event).toEqual(feed.events.at(-1));
    expect(() => Object.assign(event.data, { name: "Other" })).toThrow(TypeError);
    expect((await purser.as(owner).events.feed({ organizationId, cursor })).events).toEqual([]);
    await stream.return!();
  });

  it("continues after an id, and after a cursor of the feed", async () => {
    await rename("One");
    const first = await follow();
    await rename("Two");
    await first.until(1);
    await first.stop();
    await rename("Three");
    const second = await follow({ lastEventId: first.cursor() });
    await rename("Four");
    await second.until(2);
    expect(second.seen).toEqual(["Three", "Four"]);
    const { cursor } = await purser.as(owner).events.feed({ organizationId, limit: 1 });
    const third = await follow({ lastEventId: cursor });
    await third.until(3);
    expect(third.seen).toEqual(["Two", "Three", "Four"]);
  });

  it("continues without a gap where a stream ended that had seen nothing", async () => {
    const first = await follow();
    await first.stop();
    await rename("Meanwhile");
    const second = await follow({ lastEventId: first.cursor() });
    await second.until(1);
    expect(second.seen).toEqual(["Meanwhile"]);
  });

  it("waits for a transaction that began earlier and commits later", async () => {
    const { seen, until } = await follow();
    const late = Promise.withResolvers<void>();
    const began = Promise.withResolvers<void>();
    const writing = recordNames(["began first"], () => {
      began.resolve();
      return late.promise;
    });
    await began.promise;
    await recordNames(["committed first"]);
    // A stream that begins now leaves out what has happened, and not what has only begun.
    const later = await follow();
    late.resolve();
    await writing;
    await rename("Later");
    await Promise.all([until(3), later.until(2)]);
    expect(seen).toEqual(["began first", "committed first", "Later"]);
    expect(later.seen).toEqual(["began first", "Later"]);
  });

  it("shows every reader every event once, in one order, while listeners die and readers reconnect", async () => {
    const writers = 6;
    const perWriter = 10;
    const total = writers * perWriter;
    const start = (await purser.as(owner).events.feed({ organizationId })).cursor;
    const readers = Array.from({ length: 3 }, async (_, index) => {
      const seen: string[] = [];
      let lastEventId = start;
      while (seen.length < total) {
        const reader = await follow({ lastEventId });
        // The first one stays. The others leave in the middle.
        const count = Math.min(total - seen.length, index === 0 ? total : 1 + ((seen.length + index) % 7));
        await reader.until(count);
        await reader.stop();
        await reader.ended;
        seen.push(...reader.seen);
        lastEventId = reader.cursor();
      }
      return seen;
    });
    const write = async (writer: number) => {
      for (let index = 0; index < perWriter; index += 2) {
        const names = [`${writer}.${index}`, `${writer}.${index + 1}`];
        await recordNames(names, () => sleep(((writer * 7 + index) % 5) * 4));
        if (writer === 0) await endListeners();
      }
    };
    await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
    const [first, ...others] = await Promise.all(readers);
    expect(new Set(first).size).toBe(total);
    for (const other of others) expect(other).toEqual(first);
  });

  it("listens again after its connection ended", async () => {
    const { until } = await follow();
    await rename("One");
    await until(1);
    const ended = await endListeners();
    const replaced = async () => (await listeners()).filter((pid) => !ended.includes(pid));
    await expect.poll(replaced).toHaveLength(1);
    // A stream also looks every five seconds, so what it shows does not prove that an announcement has come.
    const announced = new Set<string>();
    over.push(purser.platform.eventListener.subscribe((id) => announced.add(id)));
    await rename("Two");
    await expect.poll(() => announced).toContain(organizationId);
    await until(2);
  });

  it("keeps its place in the feed for a reader who is slower than what it keeps", async () => {
    const stream = await purser.as(owner).events.stream({ organizationId });
    const others = await follow();
    const names = Array.from({ length: 700 }, (_, index) => `Name ${index}`);
    await recordNames(names);
    await others.until(names.length);
    const seen: string[] = [];
    for await (const { data } of stream) if (seen.push(nameOfEvent(data)) === names.length) break;
    expect(seen).toEqual(names);
  });

  it("shows only the types that are asked for, and refuses unknown ones", async () => {
    const { seen, until } = await follow({ types: ["organization.settings_updated"] });
    await rename("One");
    await purser.as(owner).organizations.settings.update({ id: organizationId, timeZone: "Asia/Tokyo" });
    await until(1);
    expect(seen).toEqual(["organization.settings_updated"]);
    const unknown = purser.as(owner).events.stream({ organizationId, types: ["card.eaten" as never] });
    expect(await refusalOf(unknown)).toBe("VALIDATION_FAILED");
  });

  it("refuses what is no cursor of this feed, and one that is too old", async () => {
    const { cursor } = await purser.as(owner).events.feed({ organizationId });
    const openAt = (lastEventId: string, id = organizationId) =>
      refusalOf(purser.as(owner).events.stream({ organizationId: id, lastEventId }));
    expect(await openAt("x")).toBe("VALIDATION_FAILED");
    expect(await openAt(cursor, await purser.organization(owner))).toBe("VALIDATION_FAILED");
    purser.clock.advance(91 * day);
    expect(await openAt(cursor)).toBe("CURSOR_EXPIRED");
  });

  it("gives an event of a backlog a cursor that expires with those after it", async () => {
    const { cursor: start } = await purser.as(owner).events.feed({ organizationId });
    await recordNames(["One", "Two"]);
    const read = (cursor: string) => purser.as(owner).events.feed({ organizationId, cursor });
    // Transactions of other tests may hold it up.
    await expect.poll(async () => (await read(start)).events.length).toBe(2);
    purser.clock.advance(60 * day);
    const stream = await purser.as(owner).events.stream({ organizationId, lastEventId: start });
    const cursors = [(stream as unknown as { cursor: string }).cursor];
    for await (const { id } of stream) if (cursors.push(id) === 3) break;
    purser.clock.advance(30 * day + 2 * hour);
    const [before, middle, end] = cursors as [string, string, string];
    expect(await refusalOf(read(before))).toBe("CURSOR_EXPIRED");
    expect(await refusalOf(read(middle))).toBe("CURSOR_EXPIRED");
    expect(await read(end)).toMatchObject({ events: [], hasMore: false });
  });

  it("ends with its signal", async () => {
    const controller = new AbortController();
    const next = (await open({ signal: controller.signal })).next();
    controller.abort();
    expect(await next).toEqual({ done: true, value: undefined });
  });
});
