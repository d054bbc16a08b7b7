import { eventDeliveries, webhookEndpoints } from "@purser/db";
import {
  type Person,
  type TestPurser,
  countWaitingForLocks,
  createTestPurser,
  day,
  hour,
  refusalOf,
} from "@purser/testing";
import { count, eq, sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { eventTasks } from "../../jobs.ts";
import { type WebhookReceiverServer, startReceiver } from "../../testing/receiver.ts";

let purser: TestPurser;
let receiver: WebhookReceiverServer;
let owner: Person;
let organizationId: string;

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
  await purser.as(owner).organizations.delete({ id: organizationId });
  await receiver.close();
});

const hooks = () => purser.as(owner).webhookEndpoints;
const create = (input: object = {}) =>
  hooks().create({ organizationId, url: `${receiver.url}hook`, ...input });
const rename = (name: string) => purser.as(owner).organizations.update({ id: organizationId, name });
const deliveries = (input: object = {}) => hooks().deliveries.list({ organizationId, ...input });
const send = () => purser.webhooks.drain();

describe("webhookEndpoints.deliveries.list", () => {
  it("filters by endpoint and status, and pages", async () => {
    const { id } = await create({ types: ["organization.updated"] });
    receiver.answer = ({ body }, response) =>
      response.writeHead(body.includes("Bad") ? 500 : 200).end("x".repeat(1000));
    for (const name of ["One", "Bad", "Three"]) await rename(name);
    await send();
    const statuses = async (input: object) => (await deliveries(input)).map(({ status }) => status);
    expect(await statuses({})).toEqual(["DELIVERED", "PENDING", "DELIVERED"]);
    expect(await statuses({ status: "PENDING" })).toEqual(["PENDING"]);
    expect(await statuses({ endpointId: id, status: "DELIVERED" })).toHaveLength(2);
    const [newest] = await deliveries({ limit: 1 });
    expect(await statuses({ after: newest!.id })).toEqual(["PENDING", "DELIVERED"]);
    const unknown = purser.unknownId("whe");
    expect(await refusalOf(deliveries({ endpointId: unknown }))).toBe("WEBHOOK_ENDPOINT_NOT_FOUND");
  });
});

describe("webhookEndpoints.deliveries.get", () => {
  it("returns a delivery as the list does", async () => {
    await create();
    await rename("One");
    await send();
    const [delivery] = await deliveries();
    expect(await hooks().deliveries.get({ id: delivery!.id })).toEqual(delivery);
    const unknown = hooks().deliveries.get({ id: purser.unknownId("whd") });
    expect(await refusalOf(unknown)).toBe("WEBHOOK_DELIVERY_NOT_FOUND");
  });
});

describe("a delivery", () => {
  it("is deleted with its event, when no cursor is valid that is before it", async () => {
    await create();
    await rename("One");
    await send();
    const purge = purser.handlers.find(({ definition }) => definition.name === "housekeeping.purge")!;
    const left = async () => {
      await purge.handle(null as never, { id: crypto.randomUUID(), attempt: 1, last: true });
      const events = await purser.as(owner).events.list({ organizationId });
      return [(await deliveries()).length, events.length];
    };
    purser.clock.advance(90 * day);
    expect(await left()).toEqual([1, 1]);
    purser.clock.advance(2 * hour);
    expect(await left()).toEqual([0, 0]);
  });
});

describe("a pending delivery", () => {
  const runTasks = async (eventRetentionDays: number) => {
    const settings = { ...purser.platform.settings, eventRetentionDays };
    for (const task of eventTasks({ ...purser.platform, settings })) await task();
  };

  it("is kept with its event until its schedule is over, where events are kept for less", async () => {
    await create();
    receiver.answer = (_, response) => response.writeHead(503).end();
    await rename("One");
    const [failed] = await sendUntilFailed(() => runTasks(1));
    expect(failed!.attempts).toHaveLength(10);
    purser.clock.advance(day);
    await runTasks(1);
    expect(await deliveries()).toEqual([]);
  });

  it("is given up when its organization is deleted, however many there are", async () => {
    const other = await purser.organization(owner);
    await hooks().create({ organizationId: other, url: receiver.url });
    await purser.db.execute(sql`
      INSERT INTO ${eventDeliveries}
        (organization_id, id, endpoint_id, event_id, event_type, status, next_attempt_at, created_at)
      SELECT organization_id, 'whd_' || nth, id, 'evt_' || nth, 'organization.updated', 'PENDING', created_at, created_at
      FROM ${webhookEndpoints}, generate_series(1, 10001) AS nth WHERE organization_id = ${other}`);
    await purser.as(owner).organizations.delete({ id: other });
    const statuses = () =>
      purser.db
        .select({ status: eventDeliveries.status, deliveries: count() })
        .from(eventDeliveries)
        .where(eq(eventDeliveries.organizationId, other))
        .groupBy(eventDeliveries.status);
    expect(await statuses()).toEqual([{ status: "PENDING", deliveries: 10_001 }]);
    await runTasks(90);
    expect(await statuses()).toEqual([{ status: "FAILED", deliveries: 10_001 }]);
  });

  it("stays delivered if its last attempt succeeds while it is given up", async () => {
    const other = await purser.organization(owner);
    const at = purser.clock.now();
    const pending = {
      endpointId: "whe_deleted",
      eventId: "evt_1",
      eventType: "organization.updated",
    } as const;
    await purser.db.insert(eventDeliveries).values({
      ...pending,
      organizationId: other,
      id: "whd_last",
      status: "PENDING",
      nextAttemptAt: at,
      createdAt: at,
    });
    const [stored, checked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const storing = purser.db.transaction(async (transaction) => {
      await transaction
        .update(eventDeliveries)
        .set({ status: "DELIVERED", nextAttemptAt: null })
        .where(eq(eventDeliveries.organizationId, other));
      stored.resolve();
      await checked.promise;
    });
    await stored.promise;
    const giving = runTasks(90);
    await expect.poll(() => countWaitingForLocks(purser.db), { timeout: 60_000 }).toBe(1);
    checked.resolve();
    await Promise.all([storing, giving]);
    const [delivery] = await purser.db
      .select()
      .from(eventDeliveries)
      .where(eq(eventDeliveries.organizationId, other));
    expect(delivery).toMatchObject({ status: "DELIVERED" });
  });
});

describe("webhookEndpoints.deliveries.redeliver", () => {
  it("sends a delivered event again, with the same id and the same body", async () => {
    await create();
    await rename("One");
    await send();
    const [delivered] = await deliveries();
    purser.clock.advance(hour);
    const again = await hooks().deliveries.redeliver({ id: delivered!.id });
    expect(again).toMatchObject({ status: "PENDING", nextAttemptAt: purser.clock.now() });
    await send();
    const [first, second] = receiver.received;
    expect(second!.body).toBe(first!.body);
    expect(second!.headers["webhook-id"]).toBe(first!.headers["webhook-id"]);
    expect((await deliveries())[0]).toMatchObject({ status: "DELIVERED", attempts: [{}, {}] });
  });

  it("sends again, though the receiver takes the event of an attempt that was under way", async () => {
    await create();
    const [arrived, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    receiver.answer = async (_, response) => {
      arrived.resolve();
      await release.promise;
      response.writeHead(200).end();
    };
    await rename("One");
    const sending = send();
    await arrived.promise;
    const [pending] = await deliveries();
    purser.clock.advance(1);
    await hooks().deliveries.redeliver({ id: pending!.id });
    release.resolve();
    await sending;
    expect(receiver.received).toHaveLength(2);
    expect((await deliveries())[0]).toMatchObject({ status: "DELIVERED", attempts: [{}] });
  });

  it("starts the schedule over after the last attempt", async () => {
    await create();
    receiver.answer = (_, response) => response.writeHead(503).end();
    await rename("One");
    const [failed] = await sendUntilFailed();
    expect(failed!.attempts).toHaveLength(10);
    // 75.6 hours in all, give or take a tenth.
    expect(purser.clock.now().getTime() - failed!.createdAt.getTime()).toBeGreaterThan(68 * hour);
    await hooks().deliveries.redeliver({ id: failed!.id });
    await send();
    expect((await deliveries())[0]).toMatchObject({ status: "PENDING" });
    expect(receiver.received).toHaveLength(11);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  });
});

/** Moves the clock from one attempt to the next. */
async function sendUntilFailed(between: () => Promise<void> = async () => undefined) {
  for (;;) {
    await between();
    await send();
    const all = await deliveries();
    const [{ nextAttemptAt }] = all as [(typeof all)[number]];
    if (nextAttemptAt === null) return all;
    purser.clock.set(nextAttemptAt);
  }
}
