// @module-tag slow
import { webhookEndpoints } from "@purser/db";
import { type Person, type TestPurser, createTestPurser } from "@purser/testing";
import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Event } from "../contract.ts";
import { claimEndpoints } from "../sending/claim.ts";
import { loadDueDeliveries } from "../sending/store/deliveries.ts";
import { readTail } from "../store.ts";
import { startReceiver } from "../testing/receiver.ts";
import { untilSettled } from "../testing/settled.ts";
import { type FeedPosition, feedStart } from "./position.ts";

const mebibyte = 2 ** 20;
const updates = 50;

let purser: TestPurser;
let owner: Person;
let member: Person;
let organizationId: string;
/** The ids of all events of the organization, in the order of the feed. Each event has about 400 kB. */
let ids: string[];

beforeAll(async () => {
  purser = await createTestPurser();
  owner = await purser.person();
  member = await purser.person();
  organizationId = await purser.organization(owner, { members: [member] });
  const { policies } = purser.as(owner).cards;
  const merchants = (name: string) =>
    Array.from({ length: 1000 }, (_, nth) => `${name} ${nth} `.padEnd(200, "x"));
  const { id: policyId } = await policies.create({
    organizationId,
    name: "Travel",
    blockedMerchants: merchants("Blocked"),
    allowedMerchants: merchants("Allowed"),
  });
  for (let nth = 1; nth <= updates; nth += 1)
    await policies.update({ organizationId, policyId, name: `Travel ${nth}` });
  ids = await untilSettled(purser.db, organizationId);
  expect(ids.length).toBeGreaterThan(updates);
}, 120_000);
afterAll(() => purser.close());
afterEach(() => purser.db.delete(webhookEndpoints));

const idsOf = (page: readonly { id: string }[]) => page.map(({ id }) => id);
const octetsOf = (page: readonly Event[]) => Buffer.byteLength(JSON.stringify(page));
/** A page ends with the event that reaches a mebibyte. */
const largestPage = 1.5 * mebibyte;

describe("events.feed", () => {
  it.each([{ role: "owner" }, { role: "member" }])(
    "ends a page of large events after a mebibyte, and shows each event once on the pages that follow: $role",
    async ({ role }) => {
      const caller = role === "owner" ? owner : member;
      const seen: string[] = [];
      const ends: boolean[] = [];
      let cursor: string | undefined;
      for (let hasMore = true; hasMore;) {
        const answer = await purser
          .as(caller)
          .events.feed({ organizationId, limit: 1000, ...(cursor !== undefined && { cursor }) });
        ({ cursor, hasMore } = answer);
        expect(octetsOf(answer.events)).toBeLessThan(largestPage);
        if (hasMore) expect(octetsOf(answer.events)).toBeGreaterThanOrEqual(mebibyte);
        seen.push(...idsOf(answer.events));
        ends.push(hasMore);
      }
      expect(seen).toEqual(ids);
      expect(ends.length).toBeGreaterThan(10);
    },
  );
});

describe("events.list", () => {
  it.each([{ role: "owner" }, { role: "member" }])(
    "ends a page of large events after a mebibyte, and lists each event once on the pages that follow: $role",
    async ({ role }) => {
      const caller = role === "owner" ? owner : member;
      const seen: string[] = [];
      for (let after: string | undefined, pages = 0; ; pages += 1) {
        const page = await purser
          .as(caller)
          .events.list({ organizationId, limit: 1000, ...(after !== undefined && { after }) });
        if (page.length === 0) break;
        expect(octetsOf(page)).toBeLessThan(largestPage);
        seen.push(...idsOf(page));
        after = seen.at(-1);
        expect(pages).toBeLessThan(ids.length);
      }
      expect(seen).toEqual(ids.toSorted().toReversed());
    },
  );
});

describe("events.stream", () => {
  it("reads large events in pages of a mebibyte, each event once", async () => {
    const seen: string[] = [];
    let after: FeedPosition = feedStart;
    for (let isLast = false; !isLast;) {
      const page = await readTail(purser.db, organizationId, { after, firstEra: 0, limit: 200 });
      const octets = page.events.reduce((sum, { data }) => sum + data.length, 0);
      expect(octets).toBeLessThan(largestPage);
      if (page.hasMore) expect(octets).toBeGreaterThanOrEqual(mebibyte);
      expect(page.isBlocked).toBe(false);
      seen.push(...idsOf(page.events));
      after = page.events.at(-1)!;
      isLast = !page.hasMore;
    }
    expect(seen).toEqual(ids);
  });

  it("shows a reader who is behind each large event once, in order", async () => {
    const { cursor } = await purser.as(owner).events.feed({ organizationId, limit: 1 });
    const seen: string[] = [];
    const stream = await purser.as(owner).events.stream({ organizationId, lastEventId: cursor });
    for await (const { data } of stream) if (seen.push(data.id) === ids.length - 1) break;
    expect(seen).toEqual(ids.slice(1));
  });
});

describe("sending", () => {
  /** Creates an endpoint that has read no event yet. */
  async function behind(url: string) {
    await purser.as(owner).webhookEndpoints.create({ organizationId, url });
    await purser.db
      .update(webhookEndpoints)
      .set({ era: 0, transactionId: "0", recordedAt: 0, eventId: "" })
      .where(eq(webhookEndpoints.organizationId, organizationId));
  }

  it("loads the deliveries of large events half a mebibyte at a time for each endpoint", async () => {
    await behind("https://one.example/");
    await behind("https://two.example/");
    const { claimed } = await claimEndpoints(purser.platform, organizationId, { healthy: 2, degraded: 0 });
    const due = await loadDueDeliveries(purser.db, organizationId, {
      leases: claimed.map(({ lease }) => lease),
      now: purser.clock.now(),
      limit: 40,
    });
    const loaded = Map.groupBy(due, ({ endpoint }) => endpoint.lease);
    expect(new Set(loaded.keys())).toEqual(new Set(claimed.map(({ lease }) => lease)));
    for (const some of loaded.values()) {
      const octets = some.reduce((sum, { event }) => sum + (event?.data?.length ?? 0), 0);
      expect(octets).toBeGreaterThanOrEqual(mebibyte / 2);
      expect(octets).toBeLessThan(mebibyte);
    }
  });

  it("sends each large event once", async () => {
    const receiver = await startReceiver();
    try {
      await behind(receiver.url);
      await purser.webhooks.drain();
      const received = receiver.received.map(({ body }) => (JSON.parse(body) as { data: Event }).data.id);
      expect(received.toSorted()).toEqual(ids.toSorted());
    } finally {
      await receiver.close();
    }
  });
});
