import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { type ConnectOptions, type Database, connect, eventDeliveries, webhookEndpoints } from "@purser/db";
import { leaseMs } from "@purser/platform";
import { EventLog } from "@purser/platform/events";
import { type TestPurser, changeTestTrigger, createTestPurser } from "@purser/testing";
import { and, eq, isNotNull, sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type EventListener, PostgresEventListener } from "../listener.ts";
import { type WebhookReceiverServer, startReceiver } from "../testing/receiver.ts";
import { recordNamesOf } from "../testing/record-names.ts";
import { untilSettled } from "../testing/settled.ts";
import { claimEndpoints } from "./claim.ts";
import { createWebhookClient } from "./client.ts";
import { createRecorder } from "./recorder.ts";
import { filterHavingEndpoints, findDueOrganizations, findUnreadOrganizations } from "./store/claims.ts";
import { WebhookSender } from "./sender.ts";
import { slowAttemptMs } from "./slow-endpoints.ts";

let purser: TestPurser;
let receiver: WebhookReceiverServer;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  purser = await createTestPurser();
});
afterAll(() => purser.close());
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await purser.db.delete(webhookEndpoints);
  await purser.db.delete(eventDeliveries);
  await receiver.close();
});

/** Creates an organization with an endpoint at the path. `record` gives it so many events. */
async function organizationWithEndpoint(path: string) {
  const owner = await purser.person();
  const organizationId = await purser.organization(owner);
  const { webhookEndpoints: endpoints } = purser.as(owner);
  const create = (at: string) => endpoints.create({ organizationId, url: `${receiver.url}${at}` });
  await create(path);
  return {
    id: organizationId,
    create,
    isDue: async () => {
      const due = and(eq(webhookEndpoints.organizationId, organizationId), isNotNull(webhookEndpoints.dueAt));
      return (await purser.db.$count(webhookEndpoints, due)) > 0;
    },
    deliveries: () => endpoints.deliveries.list({ organizationId }),
    record: (count: number) =>
      recordNamesOf(
        purser.platform,
        organizationId,
        Array.from({ length: count }, (_, index) => `Name ${index}`),
      ),
  };
}

/** The connections of another process. */
const openPool = (limits: ConnectOptions = {}) =>
  connect(purser.platform.settings.databaseUrl!, { max: 3, ...limits });

interface SenderOptions {
  maxEndpoints?: number;
  timeoutMs?: number;
  listener?: EventListener;
  db?: Database;
}

/** Starts a sender as another process has one: with its own connections. */
function startSender({
  maxEndpoints,
  timeoutMs,
  listener = purser.platform.eventListener,
  db = openPool(),
}: SenderOptions = {}) {
  const { logger } = purser.platform;
  const platform = { ...purser.platform, db, eventLog: new EventLog({ db, logger }) };
  const client = createWebhookClient({ allowPrivate: true, ...(timeoutMs && { timeoutMs }) });
  const sender = new WebhookSender(platform, { client, ...(maxEndpoints && { maxEndpoints }) });
  const sending = sender.start(listener);
  closing.push(async () => {
    await sending.stop(0);
    sender.close();
    await db.close();
  });
}

describe("the claims of a living process", () => {
  it("are renewed while a look for work takes longer than a claim lasts", async () => {
    const { id, record, deliveries } = await organizationWithEndpoint("late");
    await record(1);
    await untilSettled(purser.db, id);
    const request = Promise.withResolvers<ServerResponse>();
    receiver.answer = (_, response) => request.resolve(response);
    // Its statements and its requests wait as long as the test wants.
    const db = openPool({ statementTimeoutMs: 0, lockTimeoutMs: 0, responseTimeoutMs: 0 });
    // Opened before: the time that the test lets pass would count against their start-up.
    await Promise.all([1, 2, 3].map(() => db.execute(sql`SELECT pg_sleep(0.1)`)));
    vi.useFakeTimers({
      toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"],
      shouldAdvanceTime: true,
    });
    // No announcement makes it read the feed, because that locks the endpoint.
    startSender({
      db,
      timeoutMs: 240_000,
      listener: new PostgresEventListener(() => ({ close: async () => undefined })),
    });
    const claimedForMs = async () => {
      const [claimed] = await purser.db.select().from(webhookEndpoints);
      return claimed!.leasedUntil!.getTime() - purser.clock.now().getTime();
    };
    closing.unshift(async () => void vi.useRealTimers());
    const response = await request.promise;
    await purser.db.transaction(async (transaction) => {
      // The search for unread events waits for this table. Renewals and results do not use it.
      await transaction.execute(sql`LOCK TABLE events IN ACCESS EXCLUSIVE MODE`);
      for (let passedMs = 0; passedMs < 2 * leaseMs; passedMs += 1000) {
        purser.clock.advance(1000);
        await vi.advanceTimersByTimeAsync(1000);
        // Time goes on when a renewal that is due has been made, however long its statement takes here.
        await expect.poll(claimedForMs).toBeGreaterThan(leaseMs - 6000);
      }
    });
    // The other connections of this process would take the time that passed for a silence of the database.
    vi.useRealTimers();
    expect(response.closed).toBe(false);
    response.writeHead(200).end();
    await expect.poll(async () => (await deliveries())[0]).toMatchObject({ status: "DELIVERED" });
    expect(await deliveries()).toMatchObject([{ attempts: [{ statusCode: 200 }] }]);
    expect(receiver.received).toHaveLength(1);
  });
});

describe("the claim of a process that died before the clock stepped back", () => {
  it("ends 15 seconds after another process has seen it", async () => {
    const { id, record } = await organizationWithEndpoint("hook");
    await record(1);
    await untilSettled(purser.db, id);
    const claim = async () => {
      const due = await findDueOrganizations(purser.db, { now: purser.clock.now(), slowIds: [], limit: 1 });
      if (due.length === 0) return 0;
      return (await claimEndpoints(purser.platform, id, { healthy: 1, degraded: 0 })).claimed.length;
    };
    await claimEndpoints(purser.platform, id, { healthy: 1, degraded: 0 });
    purser.clock.set(new Date(purser.clock.now().getTime() - 60 * 60 * 1000));
    expect(await claim()).toBe(0);
    purser.clock.advance(leaseMs - 1);
    expect(await claim()).toBe(0);
    purser.clock.advance(1);
    expect(await claim()).toBe(1);
  });
});

describe("the claims of several organizations", () => {
  it("are made although those before them fail", async () => {
    const organizations = await Promise.all(["1", "2", "3", "4", "5"].map(organizationWithEndpoint));
    for (const { id, record } of organizations) {
      await record(1);
      await untilSettled(purser.db, id);
    }
    // The first two that a look finds are claimed by themselves, and the others together, one after the other.
    const [, , ...together] = await findUnreadOrganizations(purser.db);
    const last = (await filterHavingEndpoints(purser.db, together)).at(-1)!;
    await purser.db.execute(sql`
      CREATE FUNCTION refuse_claim() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$`);
    await changeTestTrigger(
      purser.db,
      sql`CREATE TRIGGER refuse_claim BEFORE UPDATE ON webhook_endpoints
        FOR EACH ROW WHEN (OLD.organization_id <> ${sql.raw(`'${last}'`)}) EXECUTE FUNCTION refuse_claim()`,
    );
    closing.push(() => changeTestTrigger(purser.db, sql`DROP TRIGGER refuse_claim ON webhook_endpoints`));
    // Without announcements, each look finds all of them.
    startSender({ listener: new PostgresEventListener(() => ({ close: async () => undefined })) });
    const { deliveries } = organizations.find(({ id }) => id === last)!;
    await expect.poll(deliveries).toMatchObject([{ status: "DELIVERED" }]);
  });
});

describe("endpoints that answer slowly", () => {
  const slowMs = slowAttemptMs + 200;
  const answerSlowly = async (response: ServerResponse) => {
    await sleep(slowMs);
    response.writeHead(200).end();
  };
  const countOf = (...paths: string[]) => receiver.received.filter(({ path }) => paths.includes(path)).length;

  it("give their slots to endpoints that wait, though more is due for them", async () => {
    const othersWait = Promise.withResolvers<void>();
    receiver.answer = async ({ path }, response) => {
      if (path === "/quick") return response.writeHead(200).end();
      await othersWait.promise;
      return answerSlowly(response);
    };
    const [one, two] = [await organizationWithEndpoint("slow-1"), await organizationWithEndpoint("slow-2")];
    const [quick, late] = [await organizationWithEndpoint("quick"), await organizationWithEndpoint("slow-3")];
    await Promise.all([one.record(20), two.record(20)]);
    startSender({ maxEndpoints: 2 });
    await vi.waitUntil(() => countOf("/slow-1", "/slow-2") === 8, { timeout: 60_000, interval: 5 });
    await Promise.all([quick.record(1), late.record(20)]);
    for (const other of [quick, late]) await expect.poll(other.isDue).toBe(true);
    othersWait.resolve();
    await vi.waitUntil(() => countOf("/quick") === 1 && countOf("/slow-3") > 0, {
      timeout: 60_000,
      interval: 5,
    });
    // Of 40. Each endpoint gets four requests at a time.
    expect(countOf("/slow-1", "/slow-2")).toBeLessThanOrEqual(16);
  });

  it("keep half of the slots at most, though nothing waits for the others", async () => {
    let answered = 0;
    receiver.answer = async ({ path }, response) => {
      if (path === "/quick") response.writeHead(200).end();
      // All but the first requests to each hang.
      else if (countOf(path) <= 4) {
        await answerSlowly(response);
        answered += 1;
      }
    };
    const [one, two] = [await organizationWithEndpoint("slow-1"), await organizationWithEndpoint("slow-2")];
    const quick = await organizationWithEndpoint("quick");
    await Promise.all([one.record(20), two.record(20)]);
    // Only what yields gives a slot back.
    startSender({ maxEndpoints: 2, timeoutMs: 240_000 });
    await vi.waitUntil(() => answered === 8 && countOf("/slow-1", "/slow-2") > 8, {
      timeout: 60_000,
      interval: 5,
    });
    await quick.record(1);
    await vi.waitUntil(() => countOf("/quick") === 1, { timeout: 60_000, interval: 5 });
    expect(countOf("/slow-1", "/slow-2")).toBeLessThanOrEqual(16);
  });

  it("take their turns: a backlog does not come before endpoints that have waited longer", async () => {
    const { id, record, create } = await organizationWithEndpoint("one");
    await create("two");
    await record(5);
    await untilSettled(purser.db, id);
    const claimOne = async () => {
      const { claimed } = await claimEndpoints(purser.platform, id, { healthy: 1, degraded: 0 });
      return claimed[0]!;
    };
    const release = createRecorder(purser.platform);
    const turns: string[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      const endpoint = await claimOne();
      turns.push(endpoint.id);
      purser.clock.advance(1000);
      await release({ endpoint, outcome: null });
    }
    expect(turns[1]).not.toBe(turns[0]);
    expect(turns).toEqual([turns[0], turns[1], turns[0], turns[1]]);
  });
});
