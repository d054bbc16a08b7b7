import { type TestPurser, createTestPurser, hour } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type WebhookReceiverServer, startReceiver } from "../testing/receiver.ts";
import { webhookMetrics } from "./metrics.ts";

let purser: TestPurser;
let receiver: WebhookReceiverServer;
beforeAll(async () => {
  purser = await createTestPurser();
  receiver = await startReceiver();
});
afterAll(async () => {
  await purser.close();
  await receiver.close();
});

async function readDelays(): Promise<Record<string, number>> {
  const rows = await webhookMetrics.delay.read(purser.db);
  return Object.fromEntries(rows.map(({ stage, value }) => [stage, Number(value)]));
}

/** The seconds since an instant of the test's clock, by the database's, give or take fifty. */
const secondsSince = (instant: Date): number => expect.closeTo((Date.now() - instant.getTime()) / 1000, -2);

describe("purser_webhook_delay_seconds", () => {
  it("is how long the oldest event has been waiting for an endpoint, in any organization", async () => {
    const owner = await purser.person();
    const organizations = [await purser.organization(owner), await purser.organization(owner)];
    for (const organizationId of organizations)
      await purser.as(owner).webhookEndpoints.create({ organizationId, url: receiver.url });
    expect(await readDelays()).toEqual({ feed: 0, sending: 0 });

    const first = purser.clock.now();
    for (const id of organizations) {
      await purser.as(owner).organizations.update({ id, name: "One" });
      purser.clock.advance(hour);
      await purser.as(owner).organizations.update({ id, name: "Another" });
    }
    expect(await readDelays()).toEqual({ feed: secondsSince(first), sending: 0 });

    await purser.webhooks.drain();
    expect(receiver.received).toHaveLength(4);
    expect(await readDelays()).toEqual({ feed: 0, sending: 0 });
  });
});
