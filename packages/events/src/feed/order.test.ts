// @module-tag slow
import { setTimeout as sleep } from "node:timers/promises";
import { type Transaction, connect, events, organizations } from "@purser/db";
import { recordAudit } from "@purser/platform";
import { eventOrigin, eventRow, insertingEvents, recordEvents } from "@purser/platform/events";
import {
  type Person,
  type TestPurser,
  countWaitingForLocks,
  createTestPurser,
  isNightly,
} from "@purser/testing";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { namedEvents, recordNamesOf } from "../testing/record-names.ts";
import { nameOfEvent } from "../testing/stream-reader.ts";

/** Writers that commit in every order: n! tests. */
const writersInOrders = isNightly ? [0, 1, 2, 3] : [0, 1, 2];

let purser: TestPurser;
let owner: Person;
let organizationId: string;

beforeAll(async () => {
  purser = await createTestPurser();
});
afterAll(() => purser.close());
beforeEach(async () => {
  owner = await purser.person();
  organizationId = await purser.organization(owner);
});

describe("events.feed", () => {
  it.each(permutations(writersInOrders).map((order) => ({ order })))(
    "never shows an event before one that it has shown, whichever writer commits next: $order",
    async ({ order }) => {
      const writers = await Promise.all(order.map(async (_, writer) => beginWriting(String(writer))));
      const killed = order[order[0]! % order.length]!;
      let cursor: string | undefined;
      const seen: string[] = [];
      const read = async () => {
        const answer = await purser
          .as(owner)
          .events.feed({ organizationId, ...(cursor !== undefined && { cursor }) });
        ({ cursor } = answer);
        seen.push(...answer.events.map(nameOfEvent));
      };
      for (const writer of order) {
        await (writer === killed ? writers[writer]!.kill() : writers[writer]!.commit());
        await read();
      }
      await vi.waitUntil(async () => (await read(), seen.length === order.length - 1), {
        timeout: 60_000,
        interval: 5,
      });
      const all = await purser.as(owner).events.feed({ organizationId });
      expect(seen).toEqual(all.events.map(nameOfEvent));
      expect(seen).not.toContain(String(killed));
    },
  );

  it.each([
    { change: "after its lock", lockAndRecord: lockThenRecord },
    { change: "in the statement that takes its lock", lockAndRecord: lockAndRecordAtOnce },
    { change: "at the end of its transaction, with its audit entry", lockAndRecord: lockThenRecordAtEnd },
  ])(
    "puts an event after those that were committed before it was recorded, though its transaction is the oldest: $change",
    async ({ lockAndRecord }) => {
      const locked = Promise.withResolvers<void>();
      const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const oldest = purser.db.transaction(async (transaction) => {
        await transaction.execute(sql`SELECT pg_current_xact_id()`);
        begun.resolve();
        await locked.promise;
        await lockAndRecord(transaction, "recorded last");
      });
      await begun.promise;
      const holder = purser.db.transaction(async (transaction) => {
        await lockThenRecord(transaction, "recorded first");
        locked.resolve();
        await goOn.promise;
      });
      await expect.poll(() => countWaitingForLocks(purser.db)).toBeGreaterThan(0);
      // A later transaction that ends earlier, so that both events have the same place until they are told apart.
      await recordNamesOf(purser.platform, organizationId, ["in between"]);
      goOn.resolve();
      await Promise.all([holder, oldest]);
      await vi.waitFor(async () => {
        const { events: seen } = await purser.as(owner).events.feed({ organizationId });
        expect(seen.map(nameOfEvent).filter((name) => name !== "in between")).toEqual([
          "recorded first",
          "recorded last",
        ]);
      }, 60_000);
    },
  );

  it("shows every reader every event once, in one order, while writers commit in any order and die", async () => {
    const writers = 8;
    const perWriter = 12;
    const acknowledged = new Set<string>();
    /** The number of events, once all writers have ended. A killed one may have committed some without knowing. */
    let total = Infinity;
    const readers = Array.from({ length: 3 }, async (_, reader) => {
      const seen: string[] = [];
      let cursor: string | undefined;
      for (let rest = false; !rest;) {
        const input = { organizationId, limit: 1 + reader * 4, ...(cursor !== undefined && { cursor }) };
        const answer = await purser.as(owner).events.feed(input);
        ({ cursor } = answer);
        seen.push(...answer.events.map(nameOfEvent));
        rest = !answer.hasMore && seen.length >= total;
        if (!answer.hasMore) await sleep(reader * 3);
      }
      return seen;
    });
    const write = async (writer: number) => {
      // Each has its own connection, as another process has.
      const db = connect(purser.platform.settings.databaseUrl!, {
        max: 1,
        applicationName: `writer ${writer}`,
      });
      const platform = { ...purser.platform, db };
      for (let index = 0; index < perWriter; index += 2) {
        const names = [`${writer}.${index}`, `${writer}.${index + 1}`];
        const written = recordNamesOf(platform, organizationId, names, () =>
          sleep(((writer * 7 + index) % 5) * 4),
        );
        await written.then(
          () => names.forEach((name) => acknowledged.add(name)),
          // Killed before or after its commit.
          () => undefined,
        );
        await endConnections(`writer ${(writer + 3) % writers}`);
      }
      await db.close();
    };
    await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
    total = await purser.db.$count(events, eq(events.organizationId, organizationId));
    const [first, ...others] = await Promise.all(readers);
    expect(new Set(first).size).toBe(first!.length);
    expect(acknowledged.size).toBeGreaterThan(0);
    expect([...acknowledged].filter((name) => !first!.includes(name))).toEqual([]);
    expect(first!.length).toBe(total);
    for (const other of others) expect(other).toEqual(first);
  });
});

const lockOrganization = () =>
  sql`SELECT FROM ${organizations} WHERE id = ${organizationId} FOR NO KEY UPDATE`;

async function lockThenRecord(transaction: Transaction, name: string) {
  await transaction.execute(lockOrganization());
  await transaction.execute(insertingEvents(await eventNamed(name)));
}

async function lockAndRecordAtOnce(transaction: Transaction, name: string) {
  const inserting = insertingEvents(await eventNamed(name), sql`WHERE EXISTS (SELECT FROM locked)`);
  await transaction.execute(sql`WITH locked AS MATERIALIZED (${lockOrganization()}) ${inserting}`);
}

/** As a mutation does. */
async function lockThenRecordAtEnd(transaction: Transaction, name: string) {
  await transaction.execute(lockOrganization());
  const act = { organizationId, subject: organizationId, actor: null, action: "test" };
  recordAudit(transaction, { ...act, at: purser.clock.now() });
  await recordEvents(purser.platform, transaction, null, namedEvents(organizationId, [name]));
}

async function eventNamed(name: string) {
  const origin = await eventOrigin(purser.platform, null);
  return namedEvents(organizationId, [name]).map((event) => eventRow(origin, event));
}

/** Ends the connections of this name as the kill of their process does. */
const endConnections = (name: string) =>
  purser.db.execute(
    sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = ${name}`,
  );

/** Begins a transaction on a dedicated connection and records an event in it. */
async function beginWriting(name: string) {
  const db = connect(purser.platform.settings.databaseUrl!, { max: 1, applicationName: `writing ${name}` });
  const [recorded, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const until = () => {
    recorded.resolve();
    return over.promise;
  };
  const writing = recordNamesOf({ ...purser.platform, db }, organizationId, [name], until);
  await recorded.promise;
  return {
    async commit() {
      over.resolve();
      await writing;
      await db.close();
    },
    async kill() {
      // The transaction fails as soon as its connection ends.
      const failure = writing.then(
        () => undefined,
        (error: unknown) => error,
      );
      await endConnections(`writing ${name}`);
      over.resolve();
      expect(await failure).toBeInstanceOf(Error);
      await db.close();
    },
  };
}

function permutations(items: number[]): number[][] {
  if (items.length < 2) return [items];
  return items.flatMap((item) =>
    permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
  );
}
