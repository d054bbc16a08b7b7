import { firstIdAt } from "@purser/core";
import { connect, eventEras, events } from "@purser/db";
import { type Caller, createContext } from "@purser/platform";
import { EventLog } from "@purser/platform/events";
import {
  type Person,
  type TestPurser,
  createCaller,
  createTestPurser,
  distributedDatabaseUrl,
  day,
  hour,
  refusalOf,
} from "@purser/testing";
import { and, desc, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Event } from "./contract.ts";
import { deleteEventsBefore } from "./store.ts";
import { recordNamesOf } from "./testing/record-names.ts";

let purser: TestPurser;
let owner: Person;
let organizationId: string;
/** A process that was started after a restore. */
let restarted = null as unknown as TestPurser["platform"];

beforeAll(async () => {
  purser = await createTestPurser();
});
afterAll(() => purser.close());
beforeEach(async () => {
  owner = await purser.person();
  organizationId = await purser.organization(owner);
});

const rename = (name: string) => purser.as(owner).organizations.update({ id: organizationId, name });
const list = (input = {}, caller = owner) => purser.as(caller).events.list({ organizationId, ...input });
const nameOf = (event: Event) => (event.type === "organization.updated" ? event.data.name : event.type);

/** Reads the feed from a cursor until it has this many events. Transactions of other tests may hold it up. */
async function follow(count: number, input: { cursor?: string; limit?: number } = {}, caller = owner) {
  const seen: Event[] = [];
  let { cursor } = input;
  await vi.waitUntil(
    async () => {
      const answer = await purser
        .as(caller)
        .events.feed({ organizationId, ...input, ...(cursor !== undefined && { cursor }) });
      ({ cursor } = answer);
      seen.push(...answer.events);
      return seen.length >= count;
    },
    { timeout: 60_000, interval: 5 },
  );
  return { seen, cursor: cursor! };
}

const recordNames = (names: readonly string[], until?: () => Promise<unknown>, platform = purser.platform) =>
  recordNamesOf(platform, organizationId, names, until);

describe("events.get", () => {
  it("returns an event as the list does, however many are newer, and no longer than it is kept", async () => {
    await rename("One");
    const [event] = await list();
    const get = (id: string, caller = owner) => purser.as(caller).events.get({ organizationId, id });
    expect(await get(event!.id)).toEqual(event);
    expect(await refusalOf(get(purser.unknownId("evt")))).toBe("EVENT_NOT_FOUND");
    await deleteEventsBefore(purser.db, new Date(purser.clock.now().getTime() + 1));
    expect(await refusalOf(get(event!.id))).toBe("EVENT_NOT_FOUND");
  });
});

describe("events.list", () => {
  it("lists what happened, who did it, and the subject as it was then, newest first", async () => {
    await rename("One");
    await rename("Two");
    const [second, first] = await list();
    expect(second).toEqual({
      id: expect.stringMatching(/^evt_/),
      organizationId,
      type: "organization.updated",
      createdAt: purser.clock.now(),
      actor: { id: owner.userId, name: owner.name },
      subject: { type: "organization", id: organizationId },
      data: { id: organizationId, name: "Two", avatarUrl: null },
    });
    expect(nameOf(first!)).toBe("One");
  });

  it("filters by types and subject, and pages", async () => {
    await rename("One");
    await purser.as(owner).organizations.settings.update({ id: organizationId, timeZone: "Asia/Tokyo" });
    const key = await purser.as(owner).keys.create({ organizationId, name: "Export", access: "read" });
    const types = async (input: object) => (await list(input)).map(({ type }) => type);
    expect(await types({ types: ["api_key.created", "organization.updated"] })).toEqual([
      "api_key.created",
      "organization.updated",
    ]);
    expect(await types({ subject: key.id })).toEqual(["api_key.created"]);
    const twice = ["api_key.created", "api_key.created"];
    expect(await types({ types: twice })).toEqual(["api_key.created"]);
    expect(await types({ types: twice, subject: key.id })).toEqual(["api_key.created"]);
    // The organization has no entry in the index of subjects, unless the event is from before that.
    const ofOrganization = ["organization.settings_updated", "organization.updated"];
    expect(await types({ subject: organizationId })).toEqual(ofOrganization);
    expect(
      await types({ subject: organizationId, types: ["organization.updated", "member.joined"] }),
    ).toEqual(["organization.updated"]);
    expect(await types({ subject: organizationId, types: ["member.joined"] })).toEqual([]);
    await purser.db.update(events).set({ isIndexedBySubject: true });
    expect(await types({ subject: organizationId })).toEqual(ofOrganization);
    const [newest] = await list({ limit: 1 });
    expect(await types({ after: newest!.id })).toEqual([
      "organization.settings_updated",
      "organization.updated",
    ]);
    expect(await types({ types: ["organization.updated"], after: newest!.id, limit: 1 })).toEqual([
      "organization.updated",
    ]);
  });

  it("holds no secret", async () => {
    const { key } = await purser.as(owner).keys.create({ organizationId, name: "Export", access: "read" });
    expect(JSON.stringify(await list())).not.toContain(key);
  });

  it("has no event where nothing changed: equal values, replays, refusals", async () => {
    await rename("One");
    const before = await list();
    await rename("One");
    await purser
      .as(owner, { idempotencyKey: "again" })
      .organizations.update({ id: organizationId, name: "Two" });
    await purser
      .as(owner, { idempotencyKey: "again" })
      .organizations.update({ id: organizationId, name: "Two" });
    const stranger = await purser.person();
    await refusalOf(purser.as(stranger).organizations.update({ id: organizationId, name: "Three" }));
    expect(await list()).toHaveLength(before.length + 1);
  });
});

describe("events.feed", () => {
  it("continues where a cursor ends, and shows each event once", async () => {
    await rename("One");
    const first = await follow(1);
    await rename("Two");
    await rename("Three");
    const second = await follow(2, { cursor: first.cursor, limit: 1 });
    expect([...first.seen, ...second.seen].map(nameOf)).toEqual(["One", "Two", "Three"]);
    const rest = await purser.as(owner).events.feed({ organizationId, cursor: second.cursor });
    expect(rest).toMatchObject({ events: [], hasMore: false });
  });

  it("waits for a transaction that began earlier and commits later", async () => {
    const late = Promise.withResolvers<void>();
    const writing = recordNames(["began first"], () => late.promise);
    await vi.waitUntil(async () => (await runningTransactions()) > 0, { timeout: 60_000, interval: 5 });
    await recordNames(["committed first"]);
    expect((await list()).map(nameOf)).toEqual(["committed first"]);
    expect((await purser.as(owner).events.feed({ organizationId })).events).toEqual([]);
    late.resolve();
    await writing;
    expect((await follow(2)).seen.map(nameOf)).toEqual(["began first", "committed first"]);
  });

  it("puts what happens after a backup is restored on another server after what is in it", async () => {
    await recordNames(["before"]);
    await purser.db
      .update(events)
      .set({ transactionId: sql`'9000000000000000000'::xid8` })
      .where(eq(events.organizationId, organizationId));
    await purser.db.update(eventEras).set({ systemIdentifier: "another server" });
    await recordAfterRestore("after");
    await vi.waitFor(async () => expect(await namesInFeed()).toEqual(["before", "after"]), 60_000);
  });

  it("puts what happens after a backup is restored on a server of an earlier backup after both", async () => {
    await recordNames(["on the first server"]);
    const [first] = await purser.db.select().from(eventEras).orderBy(desc(eventEras.era)).limit(1);
    const era = 2 * 65_536 + first!.era;
    await purser.db.insert(eventEras).values({ era, systemIdentifier: "the second server" });
    await recordNames(["on the second server"]);
    await purser.db
      .update(events)
      .set({ era, transactionId: sql`'9000000000000000000'::xid8` })
      .where(and(eq(events.organizationId, organizationId), sql`data LIKE '%second%'`));
    await recordAfterRestore("on the first server again");
    const all = ["on the first server", "on the second server", "on the first server again"];
    await vi.waitFor(async () => expect(await namesInFeed()).toEqual(all), 60_000);
  });

  it("refuses what is no cursor of this feed, and one that is too old", async () => {
    await rename("One");
    const { cursor } = await follow(1);
    const read = (text: string) => refusalOf(purser.as(owner).events.feed({ organizationId, cursor: text }));
    for (const wrong of ["", "x", cursor.slice(2), Buffer.from("[1]").toString("base64url")])
      expect(await read(wrong), wrong).toBe("VALIDATION_FAILED");
    const another = await purser.organization(owner);
    expect(await refusalOf(purser.as(owner).events.feed({ organizationId: another, cursor }))).toBe(
      "VALIDATION_FAILED",
    );
    purser.clock.advance(91 * day);
    expect(await read(cursor)).toBe("CURSOR_EXPIRED");
  });

  it("refuses a cursor in the middle of a backlog once what is after it may have been deleted", async () => {
    await recordNames(["One", "Two"]);
    purser.clock.advance(60 * day);
    const { cursor: middle } = await follow(1, { limit: 1 });
    const { cursor: end } = await follow(1, { cursor: middle });
    const read = (cursor: string) => purser.as(owner).events.feed({ organizationId, cursor });
    purser.clock.advance(30 * day);
    expect((await read(middle)).events.map(nameOf)).toEqual(["Two"]);
    purser.clock.advance(1);
    expect(await refusalOf(read(middle))).toBe("CURSOR_EXPIRED");
    expect(await read(end)).toMatchObject({ events: [], hasMore: false });
  });

  it("gives a reader an hour for the next page, though the first one is of the oldest events", async () => {
    await recordNames(["One", "Two"]);
    purser.clock.advance(90 * day + hour / 2);
    const { cursor } = await follow(1, { limit: 1 });
    purser.clock.advance(hour);
    expect((await follow(1, { cursor })).seen.map(nameOf)).toEqual(["Two"]);
  });
});

describe("a member", () => {
  it("sees neither invitations nor keys; a key that may write sees all, one that may read what members see", async () => {
    const member = await purser.person();
    const shared = await purser.organization(owner, { members: [member] });
    const { organizations, keys } = purser.as(owner);
    await organizations.invitations.create({
      organizationId: shared,
      email: "new@demo.example",
      role: "MEMBER",
    });
    await keys.create({ organizationId: shared, name: "Export", access: "read" });
    await organizations.update({ id: shared, name: "Renamed" });
    const seen = async (caller: Caller) =>
      (await purser.as(caller).events.list({ organizationId: shared })).map(({ type }) => type);
    const all = ["organization.updated", "api_key.created", "invitation.created"];
    expect(await seen(owner)).toEqual(all);
    expect(await seen(await purser.organizationKey(shared, "write"))).toEqual(all);
    expect(await seen(member)).toEqual(["organization.updated"]);
    expect(await seen(await purser.organizationKey(shared, "read"))).toEqual(["organization.updated"]);
    const feed = await purser.as(member).events.feed({ organizationId: shared });
    expect(feed.events.every(({ type }) => type === "organization.updated")).toBe(true);
    const [hidden] = await purser
      .as(owner)
      .events.list({ organizationId: shared, types: ["api_key.created"] });
    const get = (caller: Caller) => purser.as(caller).events.get({ organizationId: shared, id: hidden!.id });
    expect(await get(owner)).toEqual(hidden);
    expect(await refusalOf(get(member))).toBe("EVENT_NOT_FOUND");
  });
});

/** Records an event in a new process, because one that runs does not survive its database being restored. */
async function recordAfterRestore(name: string): Promise<void> {
  const db = connect(purser.platform.settings.databaseUrl!, { max: 2 });
  restarted = { ...purser.platform, db, eventLog: new EventLog({ db, logger: purser.platform.logger }) };
  await recordNames([name], undefined, restarted);
}

async function namesInFeed(): Promise<string[]> {
  const { events: found } = await createCaller(createContext(restarted, requestOf(owner))).events.feed({
    organizationId,
  });
  return found.map(nameOf);
}

const requestOf = (caller: Caller) => ({
  requestId: "req_test",
  caller,
  fromTrustedOrigin: false,
  idempotencyKey: null,
});

async function runningTransactions(): Promise<number> {
  const [row] = await purser.db.execute<{ running: number }>(
    sql`SELECT count(*)::int AS running FROM pg_stat_activity
      WHERE datname = current_database() AND backend_xid IS NOT NULL`,
  );
  return row!.running;
}

describe("the retention", () => {
  it("lets a list continue behind an event that it has deleted", async () => {
    await rename("Old");
    const [last] = await list({ limit: 1 });
    purser.clock.advance(1);
    await deleteEventsBefore(purser.db, purser.clock.now());
    expect(await list()).toEqual([]);
    expect(await list({ after: last!.id })).toEqual([]);
    expect(await refusalOf(list({ after: "evt_1" }))).toBe("VALIDATION_FAILED");
  });

  it("deletes what is older than the time in every organization, by the primary key", async () => {
    const elsewhere = await purser.organization(owner);
    const names = async (id: string) =>
      (await purser.as(owner).events.list({ organizationId: id })).map(nameOf);
    await rename("Old");
    await recordNamesOf(purser.platform, elsewhere, ["Old there"]);
    purser.clock.advance(1);
    const time = purser.clock.now();
    await rename("Kept");
    await recordNamesOf(purser.platform, elsewhere, ["Kept there"]);
    expect(await deleteEventsBefore(purser.db, time)).toBeGreaterThanOrEqual(2);
    expect(await names(organizationId)).toEqual(["Kept"]);
    expect(await names(elsewhere)).toEqual(["Kept there"]);
    expect(await deleteEventsBefore(purser.db, time)).toBe(0);
    await purser.db.execute(sql`
      INSERT INTO ${events} (organization_id, id, era, type, subject_id, data, created_at)
      SELECT ${elsewhere}, ${firstIdAt("evt", time)} || nth, 1, 'organization.updated', '', 'v1.', ${time.toISOString()}::timestamptz
      FROM generate_series(1, 20000) AS nth`);
    await purser.db.execute(sql`ANALYZE ${events}`);
    // Citus first collects the keys.
    if (distributedDatabaseUrl !== null) return;
    const sent: { text: string; parameters: never[] }[] = [];
    const { options } = purser.db.$client;
    options.debug = (_connection, text, parameters) => {
      if (text.startsWith("delete")) sent.push({ text, parameters: parameters as never[] });
    };
    await deleteEventsBefore(purser.db, time);
    options.debug = false;
    const [{ text, parameters }] = sent as [(typeof sent)[0]];
    // Each deleted row would be compared with all organizations.
    expect(text.match(/ARRAY\(SELECT/g)).toHaveLength(1);
    const plan = await purser.db.$client.unsafe(`EXPLAIN ${text}`, parameters);
    expect(JSON.stringify(plan)).toContain("Index Scan using events_organization_id_id_pk");
  });
});
