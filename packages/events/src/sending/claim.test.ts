import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { type ConnectOptions, connect, eventDeliveries, webhookEndpoints } from "@purser/db";
import { leaseMs } from "@purser/platform";
import { EventLog } from "@purser/platform/events";
import { type TestPurser, createTestPurser } from "@purser/testing";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type WebhookReceiverServer, startReceiver } from "../testing/receiver.ts";
import { createWebhookClient } from "./client.ts";
import { WebhookSender } from "./sender.ts";

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
  const { webhookEndpoints: endpoints, organizations } = purser.as(owner);
  await endpoints.create({ organizationId, url: `${receiver.url}${path}` });
  return {
    deliveries: () => endpoints.deliveries.list({ organizationId }),
    record: async (count: number) => {
      for (let index = 0; index < count; index += 1)
        await organizations.update({ id: organizationId, name: `Name ${index}` });
    },
  };
}

/** Starts a sender as another process has one: with its own connections. */
function startSender({ maximumEndpoints, ...limits }: ConnectOptions & { maximumEndpoints?: number } = {}) {
  const { settings, logger } = purser.platform;
  const db = connect(settings.databaseUrl!, { max: 3, ...limits });
  const platform = { ...purser.platform, db, eventLog: new EventLog({ db, logger }) };
  const client = createWebhookClient({ allowPrivate: true });
  const sender = new WebhookSender(platform, { client, ...(maximumEndpoints && { maximumEndpoints }) });
  const sending = sender.start(purser.platform.eventListener);
  closing.push(async () => {
    await sending.stop(0);
    sender.close();
    await db.close();
  });
}

describe("the claims of a living process", () => {
  it("are renewed while a look for work takes longer than a claim lasts", async () => {
    const { record, deliveries } = await organizationWithEndpoint("late");
    await record(1);
    const request = Promise.withResolvers<ServerResponse>();
    receiver.answer = (_, response) => request.resolve(response);
    vi.useFakeTimers({
      toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"],
      shouldAdvanceTime: true,
    });
    // Its statements wait as long as the test wants.
    startSender({ statementTimeoutMs: 0, lockTimeoutMs: 0, responseTimeoutMs: 0 });
    closing.unshift(async () => void vi.useRealTimers());
    const response = await request.promise;
    await purser.db.transaction(async (transaction) => {
      // The search for unread events waits for this table. Renewals and results do not use it.
      await transaction.execute(sql`LOCK TABLE events IN ACCESS EXCLUSIVE MODE`);
      for (let passedMs = 0; passedMs < 2 * leaseMs; passedMs += 1000) {
        await vi.advanceTimersByTimeAsync(1000);
        // Time for a statement to return.
        await sleep(20);
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
