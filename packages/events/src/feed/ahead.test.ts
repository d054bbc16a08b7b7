import { eventEras } from "@purser/db";
import { databaseOf } from "@purser/platform";
import {
  type Person,
  type TestPurser,
  createTestPurser,
  distributedDatabaseUrl,
  refusalOf,
} from "@purser/testing";
import { desc, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { isAhead } from "../store.ts";
import { type FeedPosition, decodeCursor, encodeCursor } from "./position.ts";

let purser: TestPurser;
let owner: Person;
let organizationId: string;

beforeAll(async () => {
  purser = await createTestPurser();
  owner = await purser.person();
  organizationId = await purser.organization(owner);
  await purser.as(owner).organizations.update({ id: organizationId, name: "One" });
});
afterAll(() => purser.close());

const feed = (cursor?: string) =>
  purser.as(owner).events.feed({ organizationId, ...(cursor !== undefined && { cursor }) });
const latestId = "9000000000000000000";

/** The cursor after the event, and others of the same feed. */
async function cursors() {
  const { cursor } = await vi.waitUntil(
    async () => {
      const answer = await feed();
      return answer.events.length > 0 && answer;
    },
    { timeout: 60_000, interval: 5 },
  );
  const decoded = decodeCursor(cursor)!;
  const at = (change: Partial<FeedPosition>) =>
    encodeCursor({ ...decoded, position: { ...decoded.position, ...change } });
  return { given: cursor, position: decoded.position, at };
}

describe("a cursor that is ahead of the server, which a copy of the database has given", () => {
  async function expectRefused(cursor: string) {
    expect(await refusalOf(feed(cursor))).toBe("CURSOR_EXPIRED");
    const stream = purser.as(owner).events.stream({ organizationId, lastEventId: cursor });
    expect(await refusalOf(stream)).toBe("CURSOR_EXPIRED");
  }

  it("is refused by its era", async () => {
    const { position, at } = await cursors();
    await expectRefused(at({ era: position.era + 65_536 }));
  });

  // On a cluster, the ids of transactions are those of several servers, and none is known to be ahead.
  it.skipIf(distributedDatabaseUrl !== null)("is refused by its transaction", async () => {
    const { at } = await cursors();
    await expectRefused(at({ transactionId: latestId }));
  });
});

describe("a cursor of the server", () => {
  it("is taken at the end of the feed", async () => {
    const { given } = await cursors();
    expect(await feed(given)).toMatchObject({ events: [], hasMore: false });
  });

  it("is taken of a transaction that a standby shows before the primary has finished it", async () => {
    const { at } = await cursors();
    const db = await databaseOf(purser.platform, organizationId);
    await db.transaction(async (transaction) => {
      const [row] = await transaction.execute<{ id: string }>(sql`SELECT pg_current_xact_id()::text AS id`);
      expect(await feed(at({ transactionId: row!.id }))).toMatchObject({ events: [] });
    });
  });

  it("is compared by its era alone where transaction ids are those of several servers", async () => {
    const [newest] = await purser.db.select().from(eventEras).orderBy(desc(eventEras.era)).limit(1);
    const { era } = newest!;
    const position = { era, transactionId: latestId, recordedAt: 0, id: "" };
    const undone = new Error("undone");
    const asking = purser.db.transaction(async (transaction) => {
      await transaction.execute(sql`
        CREATE OR REPLACE FUNCTION server_timeline() RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT 0'`);
      await transaction.update(eventEras).set({ timeline: 0 }).where(eq(eventEras.era, era));
      expect(await isAhead(transaction, position)).toBe(false);
      expect(await isAhead(transaction, { ...position, era: era + 1 })).toBe(true);
      throw undone;
    });
    await expect(asking).rejects.toBe(undone);
  });
});
