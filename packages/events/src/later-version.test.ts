import { events, webhookEndpoints } from "@purser/db";
import { type Person, type TestPurser, createTestPurser, day, problemOf, refusalOf } from "@purser/testing";
import { type SQL, and, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Event } from "./contract.ts";
import { recordNamesOf } from "./testing/record-names.ts";
import { untilSettled } from "./testing/settled.ts";
import { nameOfEvent, readStream } from "./testing/stream-reader.ts";

let purser: TestPurser;
let owner: Person;
let organizationId: string;
/** The cursor before the events. */
let start: string;
/** The id of the second of three events. */
let middle: string;

beforeAll(async () => {
  purser = await createTestPurser();
});
afterAll(() => purser.close());
beforeEach(async () => {
  owner = await purser.person();
  organizationId = await purser.organization(owner);
  start = (await feed()).cursor;
  await recordNamesOf(purser.platform, organizationId, ["One", "Two", "Three"]);
  middle = (await untilSettled(purser.db, organizationId)).at(-2)!;
});

const feed = (input = {}) => purser.as(owner).events.feed({ organizationId, ...input });
const namesOf = (found: readonly Event[]) => found.map(nameOfEvent);
const follow = async (lastEventId: string) =>
  readStream(await purser.as(owner).events.stream({ organizationId, lastEventId }));

/** Changes the event in the middle. Returns a function that makes it what it was, as another process reads it. */
async function change(set: SQL): Promise<() => Promise<unknown>> {
  const isMiddle = and(eq(events.organizationId, organizationId), eq(events.id, middle));
  const [{ type, data }] = (await purser.db.select().from(events).where(isMiddle)) as [
    typeof events.$inferSelect,
  ];
  await purser.db.execute(sql`UPDATE ${events} SET ${set} WHERE ${isMiddle}`);
  return () => purser.db.update(events).set({ type, data }).where(isMiddle);
}

describe.each([
  ["of a type of a later version", sql`type = 'organization.merged'`],
  ["that is sealed with an unknown key", sql`data = 'v1.99.AAAA.AAAA'`],
])("an event %s", (_what, set) => {
  it("ends a page of events.feed, whose next page is UNAVAILABLE until a process can read it", async () => {
    const restore = await change(set);
    const page = await feed({ cursor: start });
    expect(namesOf(page.events)).toEqual(["One"]);
    expect(page.hasMore).toBe(false);
    const refused: unknown = await feed({ cursor: page.cursor }).catch((error: unknown) => error);
    expect(problemOf(refused)).toMatchObject({ code: "UNAVAILABLE", retryable: true, retryAfterSeconds: 5 });
    await restore();
    expect(namesOf((await feed({ cursor: page.cursor })).events)).toEqual(["Two", "Three"]);
  });

  it("holds up a stream, which continues with it where a process can read it", async () => {
    const restore = await change(set);
    const first = await follow(start);
    await first.until(1);
    await first.stop();
    expect(await first.ended).toBe("over");
    expect(first.seen).toEqual(["One"]);
    await restore();
    const second = await follow(first.cursor());
    await second.until(2);
    await second.stop();
    expect(second.seen).toEqual(["Two", "Three"]);
  });

  it("is left out of events.list", async () => {
    await change(set);
    expect(namesOf(await purser.as(owner).events.list({ organizationId }))).toEqual(["Three", "One"]);
  });
});

describe("events.feed before an event that it cannot read", () => {
  it("gives a cursor that expires before that event may be deleted", async () => {
    const restore = await change(sql`type = 'organization.merged'`);
    purser.clock.advance(60 * day);
    const { cursor } = await feed({ cursor: start });
    await restore();
    purser.clock.advance(31 * day);
    expect(await refusalOf(feed({ cursor }))).toBe("CURSOR_EXPIRED");
  });

  it("passes it for a reader of other types", async () => {
    await change(sql`type = 'organization.merged'`);
    const page = await feed({ cursor: start, types: ["organization.updated"] });
    expect(namesOf(page.events)).toEqual(["One", "Three"]);
  });
});

describe("a webhook endpoint with a type of a later version", () => {
  it("is listed and changed beside the others, and keeps the type", async () => {
    const endpoints = purser.as(owner).webhookEndpoints;
    const url = "https://receiver.example/";
    const { id } = await endpoints.create({ organizationId, url, types: ["organization.updated"] });
    await endpoints.create({ organizationId, url });
    const types = ["organization.updated", "organization.merged"];
    await purser.db.update(webhookEndpoints).set({ types }).where(eq(webhookEndpoints.id, id));
    expect((await endpoints.list({ organizationId })).map((one) => one.types)).toEqual([[], types]);
    expect(await endpoints.update({ id, description: "Books" })).toMatchObject({ types });
    expect(await endpoints.update({ id, status: "DISABLED" })).toMatchObject({ types });
    const [disabled] = await purser.as(owner).events.list({ organizationId });
    expect(disabled).toMatchObject({ type: "webhook_endpoint.disabled", data: { types } });
  });
});
