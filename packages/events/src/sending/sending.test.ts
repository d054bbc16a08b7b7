import { get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { connect, eventDeliveries, webhookEndpoints } from "@purser/db";
import { leaseMs } from "@purser/platform";
import { EventLog } from "@purser/platform/events";
import { type Person, type TestPurser, createTestPurser, day, hour, onEachServer } from "@purser/testing";
import { eq, sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type WebhookReceiverServer, startReceiver } from "../testing/receiver.ts";
import { untilSettled } from "../testing/settled.ts";
import { verifyDelivery } from "../testing/verify.ts";
import { lockWebhookEndpoint } from "../webhook-endpoints/store.ts";
import { createWebhookClient } from "./client.ts";
import { claimEndpoints } from "./claim.ts";
import { WebhookSender } from "./sender.ts";

let purser: TestPurser;
let receiver: WebhookReceiverServer;
let owner: Person;
let organizationId: string;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  purser = await createTestPurser();
});
afterAll(() => purser.close());
beforeEach(async () => {
  receiver = await startReceiver();
  owner = await purser.person();
  organizationId = await purser.organization(owner);
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  for (const webhook of receiver.received) verifyDelivery(secrets.get(webhook.path)!, webhook);
  await purser.db.delete(webhookEndpoints);
  await purser.db.delete(eventDeliveries);
  await receiver.close();
});

/** The secret of each path. After each test, all that was received is verified. */
const secrets = new Map<string, string>();

async function create(path: string) {
  const url = `${receiver.url}${path}`;
  const created = await purser.as(owner).webhookEndpoints.create({ organizationId, url });
  secrets.set(`/${path}`, created.secret);
  return created;
}
const rename = (name: string) => purser.as(owner).organizations.update({ id: organizationId, name });
const deliveries = () => purser.as(owner).webhookEndpoints.deliveries.list({ organizationId });
const pathsOf = () => receiver.received.map(({ path }) => path);
const send = () => purser.webhooks.drain();

/** A sender as another process has one: with its own connections. */
function anotherSender({ timeoutMs }: { timeoutMs?: number } = {}) {
  const { settings, logger } = purser.platform;
  const db = connect(settings.databaseUrl!, { max: 3 });
  const platform = { ...purser.platform, db, eventLog: new EventLog({ db, logger }) };
  const client = createWebhookClient({ allowPrivate: true, ...(timeoutMs !== undefined && { timeoutMs }) });
  const sender = new WebhookSender(platform, { client });
  closing.push(async () => {
    sender.close();
    await db.close();
  });
  return sender;
}

describe("reading the feed for an endpoint", () => {
  it("makes one delivery of each event for each endpoint, however many processes read, crash or read again", async () => {
    const { id: first } = await create("first");
    const { id: second } = await create("second");
    const senders = [purser.webhooks, anotherSender(), anotherSender()];
    const names = Array.from({ length: 24 }, (_, index) => `Name ${index}`);
    await Promise.all([
      ...names.map((name) => rename(name)),
      ...senders.map(async (sender) => {
        for (let time = 0; time < 4; time += 1) await sender.drain();
      }),
    ]);
    await send();
    // A process that is behind, as after a restored backup.
    await purser.db
      .update(webhookEndpoints)
      .set({ era: 0, transactionId: "0", recordedAt: 0, eventId: "" })
      .where(eq(webhookEndpoints.id, second));
    await send();
    const ids = receiver.received.map(({ path, headers }) => `${path} ${headers["webhook-id"]}`);
    const all = await deliveries();
    expect(new Set(ids).size).toBe(ids.length);
    expect(all.filter(({ endpointId }) => endpointId === first)).toHaveLength(names.length);
    expect(all.every(({ status }) => status === "DELIVERED")).toBe(true);
  });

  it("loses nothing if the transaction fails, and waits for events that commit late", async () => {
    await create("hook");
    const late = Promise.withResolvers<void>();
    const writing = purser.db.transaction(async (transaction) => {
      // On the server of the organization, whose transactions count.
      await transaction.execute(
        sql`SELECT pg_current_xact_id() FROM organizations WHERE id = ${organizationId}`,
      );
      await late.promise;
    });
    await vi.waitUntil(async () => (await runningTransactions()) > 0, { timeout: 60_000, interval: 5 });
    await rename("One");
    const capacity = { healthy: 10, degraded: 10 };
    const claims = await claimEndpoints(purser.platform, organizationId, capacity);
    expect(claims).toEqual({ claimed: [], hasRead: false, hasMore: false, isBlocked: true });
    late.resolve();
    await writing;
    await send();
    expect(pathsOf()).toEqual(["/hook"]);
  });
});

describe("an endpoint that another transaction holds", () => {
  it("makes the worker look again soon, also if it is the only one", async () => {
    const { id } = await create("hook");
    const capacity = { healthy: 10, degraded: 10 };
    await purser.db.transaction(async (transaction) => {
      await lockWebhookEndpoint(transaction, { organizationId, id });
      expect(await claimEndpoints(purser.platform, organizationId, capacity)).toMatchObject({
        isBlocked: true,
      });
    });
    await purser.db.delete(webhookEndpoints);
    expect(await claimEndpoints(purser.platform, organizationId, capacity)).toMatchObject({
      isBlocked: false,
    });
  });
});

describe("sending", () => {
  it("has at most four requests to an endpoint open at a time, in all processes", async () => {
    await create("slow");
    const release = Promise.withResolvers<void>();
    receiver.answer = async (_, response) => {
      await release.promise;
      response.writeHead(200).end();
    };
    for (let index = 0; index < 12; index += 1) await rename(`Name ${index}`);
    // Otherwise the first session could get fewer than four, and look for no others until it has ended.
    await untilSettled(purser.db, organizationId);
    const senders = [purser.webhooks, anotherSender(), anotherSender()].map((sender) => sender.drain());
    await vi.waitUntil(() => receiver.received.length === 4, { timeout: 60_000 });
    // The others find the endpoint claimed.
    await Promise.race(senders);
    release.resolve();
    await Promise.all(senders);
    expect(receiver.received).toHaveLength(12);
    expect(receiver.mostOpen.get("/slow")).toBe(4);
  });

  it(
    "is not delayed by endpoints that hang, of the same organization or of others",
    { tags: ["slow"] },
    async () => {
      for (let index = 0; index < 10; index += 1) await create(`hangs-${index}`);
      await create("works");
      receiver.answer = ({ path }, response) => {
        if (path === "/works") response.writeHead(200).end();
      };
      // An attempt that is given up is over for its receiver only a moment later, when the next one may have begun.
      const sending = anotherSender({ timeoutMs: 240_000 }).start(purser.platform.eventListener);
      closing.push(() => sending.stop(0));
      for (let index = 0; index < 20; index += 1) await rename(`Name ${index}`);
      const works = () => pathsOf().filter((path) => path === "/works").length;
      await vi.waitUntil(() => works() === 20, { timeout: 60_000, interval: 5 });
      expect((await deliveries()).filter(({ status }) => status === "DELIVERED").length).toBeLessThan(21);
      for (const [path, most] of receiver.mostOpen) expect(most, path).toBeLessThanOrEqual(4);
    },
  );

  it("tries again on schedule, keeps Retry-After, and records each attempt", async () => {
    await create("hook");
    const statuses = [500, 429, 302, 200];
    receiver.answer = (_, response) =>
      response.writeHead(statuses.shift()!, { "retry-after": statuses.length === 2 ? "60" : "" }).end("x");
    await rename("One");
    const start = purser.clock.now().getTime();
    const waits: number[] = [];
    for (let time = 0; time < 4; time += 1) {
      await send();
      // Too early: nothing is sent.
      await send();
      const nextAttemptAt = (await deliveries())[0]!.nextAttemptAt;
      if (nextAttemptAt === null) break;
      waits.push(nextAttemptAt.getTime() - purser.clock.now().getTime());
      purser.clock.set(nextAttemptAt);
    }
    expect(waits[0]).toBeGreaterThanOrEqual(4500);
    expect(waits[0]).toBeLessThanOrEqual(5500);
    expect(waits[1]).toBe(60_000);
    expect(waits[2]).toBeGreaterThan(26 * 60_000);
    const [delivery] = await deliveries();
    expect(delivery!.attempts.map(({ statusCode, error }) => [statusCode, error])).toEqual([
      [500, null],
      [429, null],
      [302, "Redirects are not followed."],
      [200, null],
    ]);
    expect(delivery!.attempts[0]!.at.getTime()).toBe(start);
    const timestamps = receiver.received.map(({ headers }) => headers["webhook-timestamp"]);
    expect(new Set(timestamps).size).toBe(4);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  });

  it("goes on in another process when one dies, and stores nothing of a claim that was lost", async () => {
    await create("hook");
    await rename("One");
    await untilSettled(purser.db, organizationId);
    // The process reads the feed, claims the endpoint, and is killed before it has sent.
    const capacity = { healthy: 1, degraded: 0 };
    expect((await claimEndpoints(purser.platform, organizationId, capacity)).claimed).toHaveLength(1);
    await send();
    expect(receiver.received).toEqual([]);
    purser.clock.advance(15_000);
    await send();
    expect(receiver.received).toHaveLength(1);
    expect(await deliveries()).toMatchObject([{ status: "DELIVERED", attempts: [{ statusCode: 204 }] }]);
  });

  it("ends its requests two seconds before its claim ends, though no statement returns", async () => {
    await create("hangs");
    await rename("One");
    const closed = Promise.withResolvers<"closed">();
    receiver.answer = (_, response) => response.on("close", () => closed.resolve("closed"));
    const other = await startReceiver();
    closing.push(other.close);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"], shouldAdvanceTime: true });
    const start = performance.now();
    const sending = anotherSender().start(purser.platform.eventListener);
    closing.unshift(() => sending.stop(0));
    closing.push(async () => void vi.useRealTimers());
    await vi.waitUntil(() => receiver.received.length === 1, { timeout: 60_000 });
    const sent = performance.now();
    await purser.db.transaction(async (transaction) => {
      await transaction.execute(sql`LOCK TABLE webhook_endpoints IN ACCESS EXCLUSIVE MODE`);
      const moveTo = (time: number) => vi.advanceTimersByTimeAsync(time - performance.now());
      await moveTo(start + leaseMs - 4000);
      // A request that begins now arrives after the end of one that has been ended.
      await new Promise((resolve) => get(other.url, (response) => response.resume().on("end", resolve)));
      expect(await Promise.race([closed.promise, Promise.resolve("open")])).toBe("open");
      await moveTo(sent + leaseMs - 2000);
      expect(await closed.promise).toBe("closed");
    });
  });

  it("stops cleanly: what runs is answered or sent again, and the next process needs no wait", async () => {
    await create("hook");
    await rename("One");
    receiver.answer = () => undefined;
    const sending = anotherSender().start(purser.platform.eventListener);
    await vi.waitUntil(() => receiver.received.length === 1, { timeout: 60_000 });
    await sending.stop(600);
    receiver.answer = (_, response) => response.writeHead(200).end();
    // The first process may give the delivery back only after the time of its stop.
    await expect.poll(async () => (await send(), receiver.received.length)).toBe(2);
    expect(await deliveries()).toMatchObject([{ status: "DELIVERED" }]);
  });

  it("gives up a delivery whose event is not kept any more", async () => {
    await create("hook");
    receiver.answer = (_, response) => response.writeHead(500).end();
    await rename("One");
    await send();
    await purser.db.execute(sql`DELETE FROM events WHERE organization_id = ${organizationId}`);
    purser.clock.advance(hour);
    await send();
    expect(await deliveries()).toMatchObject([{ status: "FAILED", attempts: [{}] }]);
  });
});

describe("an endpoint that takes no events", () => {
  const endpoint = async () => (await purser.as(owner).webhookEndpoints.list({ organizationId }))[0]!;

  it("is disabled at once by 410, with a mail to the owners and an event that others receive", async () => {
    await create("other");
    const { id } = await create("gone");
    receiver.answer = ({ path }, response) => response.writeHead(path === "/gone" ? 410 : 200).end();
    await rename("One");
    await rename("Two");
    // Otherwise the second one could be sent at the same time as the event of the disabled endpoint.
    await untilSettled(purser.db, organizationId);
    await send();
    await purser.drain();
    expect(await endpoint()).toMatchObject({
      id,
      status: "DISABLED",
      disabledReason: "It answered with the status 410 (Gone).",
    });
    const [event] = await purser.as(owner).events.list({ organizationId });
    expect(event).toMatchObject({ type: "webhook_endpoint.disabled", actor: null, subject: { id } });
    const mail = purser.mails.find(({ to }) => to === owner.email)!;
    expect(mail.text).toContain(new URL(receiver.url).origin);
    expect(mail.text).not.toContain("/gone");
    const last = receiver.received.at(-1)!;
    expect(last.path).toBe("/other");
    expect(JSON.parse(last.body)).toMatchObject({ type: "webhook_endpoint.disabled" });
    const statuses = (await deliveries()).filter(({ endpointId }) => endpointId === id);
    expect(statuses.every(({ status }) => status === "FAILED")).toBe(true);
  });

  it("is disabled after five days of nothing but failures, and not after one success in between", async () => {
    await create("hook");
    let status = 500;
    receiver.answer = (_, response) => response.writeHead(status).end();
    const dayOf = async () => {
      await rename(`At ${purser.clock.now().toISOString()}`);
      await send();
      purser.clock.advance(day);
    };
    for (let days = 0; days < 4; days += 1) await dayOf();
    status = 200;
    await dayOf();
    status = 500;
    for (let days = 0; days < 5; days += 1) await dayOf();
    expect(await endpoint()).toMatchObject({ status: "ENABLED" });
    await dayOf();
    expect(await endpoint()).toMatchObject({
      status: "DISABLED",
      disabledReason: "Everything that was sent to it failed for five days.",
    });
    await purser.drain();
    expect(purser.mails.some(({ to }) => to === owner.email)).toBe(true);
  });

  it("is not disabled by a failure long after an earlier one", async () => {
    await create("hook");
    receiver.answer = (_, response) => response.writeHead(410 - 10).end();
    await rename("One");
    await send();
    await purser.db.update(eventDeliveries).set({ status: "FAILED", nextAttemptAt: null });
    purser.clock.advance(30 * day);
    await rename("Two");
    await send();
    expect(await endpoint()).toMatchObject({ status: "ENABLED" });
  });
});

async function runningTransactions(): Promise<number> {
  const counts = await onEachServer(
    purser.db,
    `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND backend_xid IS NOT NULL`,
  );
  await sleep(0);
  return counts.reduce((sum, count) => sum + Number(count), 0);
}
