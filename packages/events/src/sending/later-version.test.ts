import { eventDeliveries, events } from "@purser/db";
import { type Person, type TestPurser, createTestPurser, minute } from "@purser/testing";
import { asc, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type WebhookReceiverServer, startReceiver } from "../testing/receiver.ts";
import { createWebhookClient } from "./client.ts";
import { WebhookSender } from "./sender.ts";

let purser: TestPurser;
let receiver: WebhookReceiverServer;
let owner: Person;
let organizationId: string;

beforeAll(async () => {
  purser = await createTestPurser();
  receiver = await startReceiver();
});
afterAll(async () => {
  await purser.close();
  await receiver.close();
});
beforeEach(async () => {
  receiver.received.length = 0;
  owner = await purser.person();
  organizationId = await purser.organization(owner);
  await purser.as(owner).webhookEndpoints.create({ organizationId, url: receiver.url });
});

const rename = (name: string) => purser.as(owner).organizations.update({ id: organizationId, name });
const setType = (type: string) =>
  purser.db.execute(sql`UPDATE ${events} SET type = ${type} WHERE organization_id = ${organizationId}`);
const deliveries = () =>
  purser.db
    .select()
    .from(eventDeliveries)
    .where(eq(eventDeliveries.organizationId, organizationId))
    .orderBy(asc(eventDeliveries.id));

describe("an event of a type of a later version", () => {
  it("stays pending without an attempt, holds up no other event, and is sent by a process of that version", async () => {
    await rename("Of a later version");
    await setType("organization.merged");
    await purser.webhooks.drain();
    await rename("One");
    await purser.webhooks.drain();
    const [later, other] = await deliveries();
    expect(later).toMatchObject({ status: "PENDING", tries: 0, attempts: [] });
    expect(later!.nextAttemptAt!.getTime()).toBeGreaterThan(purser.clock.now().getTime());
    expect(other).toMatchObject({ status: "DELIVERED" });
    purser.clock.advance(minute);
    await purser.webhooks.drain();
    expect((await deliveries())[0]).toMatchObject({ status: "PENDING", tries: 0, attempts: [] });
    expect(receiver.received).toHaveLength(1);
    const [endpoint] = await purser.as(owner).webhookEndpoints.list({ organizationId });
    expect(endpoint).toMatchObject({ status: "ENABLED" });
    // As a process of the later version reads it.
    await setType("organization.updated");
    purser.clock.advance(minute);
    await purser.webhooks.drain();
    expect((await deliveries())[0]).toMatchObject({ status: "DELIVERED", tries: 1, attempts: [{}] });
    expect(receiver.received).toHaveLength(2);
  });

  it("is logged once for each type", async () => {
    const warned: (string | undefined)[] = [];
    const logger = Object.create(purser.platform.logger, {
      warn: { value: ({ eventType }: { eventType?: string }) => warned.push(eventType) },
    }) as TestPurser["platform"]["logger"];
    const client = createWebhookClient({ allowPrivate: true });
    const sender = new WebhookSender({ ...purser.platform, logger }, { client });
    for (const name of ["One", "Two"]) await rename(name);
    await setType("organization.merged");
    await rename("Three");
    await purser.db.execute(sql`
      UPDATE ${events} SET type = 'organization.split'
      WHERE organization_id = ${organizationId} AND type = 'organization.updated'`);
    await sender.drain();
    purser.clock.advance(minute);
    await sender.drain();
    sender.close();
    expect(warned).toHaveLength(2);
    expect(new Set(warned)).toEqual(new Set(["organization.merged", "organization.split"]));
  });
});
