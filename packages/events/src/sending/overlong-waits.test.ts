import { eventDeliveries, webhookEndpoints } from "@purser/db";
import { type Person, type TestPurser, createTestPurser, hour, minute } from "@purser/testing";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { eventSweeps } from "../jobs.ts";
import { type WebhookReceiverServer, startReceiver } from "../testing/receiver.ts";

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
  await purser.as(owner).webhookEndpoints.create({ organizationId, url: `${receiver.url}hook` });
});
afterEach(async () => {
  await purser.db.delete(webhookEndpoints);
  await purser.db.delete(eventDeliveries);
  await receiver.close();
});

const rename = (name: string) => purser.as(owner).organizations.update({ id: organizationId, name });
const send = () => purser.webhooks.drain();
const sweep = async () => {
  for (const one of eventSweeps(purser.platform)) await one();
};
const dueTimes = async () => {
  const [endpoint] = await purser.db.select().from(webhookEndpoints);
  const rows = await purser.db.select().from(eventDeliveries);
  const times = rows.map(({ nextAttemptAt }) => nextAttemptAt).filter((time) => time !== null);
  return { endpoint: endpoint!.dueAt, deliveries: times.toSorted((one, other) => +one - +other) };
};

describe("a delivery that waits for its next attempt", () => {
  it("is tried after its usual wait although the clock has stepped back by hours", async () => {
    receiver.answer = (_, response) => response.writeHead(503).end();
    await rename("One");
    await send();
    purser.clock.advance(6000);
    await rename("Two");
    await send();
    expect(receiver.received).toHaveLength(3);

    purser.clock.advance(-3 * hour);
    await sweep();
    const now = purser.clock.now().getTime();
    const { endpoint, deliveries } = await dueTimes();
    // One of them has failed once, the other twice.
    expect(deliveries.map((time) => time.getTime() - now)).toEqual([5000, 5 * minute]);
    expect(endpoint).toEqual(deliveries[0]);

    receiver.answer = (_, response) => response.writeHead(204).end();
    purser.clock.advance(5 * minute);
    await send();
    expect(receiver.received).toHaveLength(5);
    expect((await dueTimes()).deliveries).toEqual([]);
  });

  it("waits as long as it would if the clock runs on", async () => {
    receiver.answer = (_, response) => response.writeHead(503).end();
    await rename("One");
    await send();
    const before = await dueTimes();
    await sweep();
    expect(await dueTimes()).toEqual(before);
  });

  it("keeps its time while its endpoint is sent to", async () => {
    receiver.answer = (_, response) => response.writeHead(503).end();
    await rename("One");
    await send();
    const before = await dueTimes();
    const until = purser.clock.now().toISOString();
    await purser.db.execute(sql`
      UPDATE webhook_endpoints SET lease = 'another process', leased_until = ${until}::timestamptz
      WHERE organization_id = ${organizationId}`);
    purser.clock.advance(-3 * hour);
    await sweep();
    expect(await dueTimes()).toEqual(before);
  });
});
