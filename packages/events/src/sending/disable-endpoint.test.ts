import { webhookEndpoints } from "@purser/db";
import { type Person, type TestPurser, createTestPurser, day, minute } from "@purser/testing";
import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type WebhookReceiverServer, startReceiver } from "../testing/receiver.ts";
import { disableFailingEndpoint } from "./disable-endpoint.ts";

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
const create = (path: string) => hooks().create({ organizationId, url: `${receiver.url}${path}` });
const endpoint = async () => (await hooks().list({ organizationId }))[0]!;
const rename = (name: string) => purser.as(owner).organizations.update({ id: organizationId, name });
const send = () => purser.webhooks.drain();
const pathsOf = () => receiver.received.map(({ path }) => path);

/** Sends an event to `/old`, which answers with the status once the change is made. Every other path takes events. */
async function sendDuring(change: () => Promise<unknown>, status = 410): Promise<void> {
  const [arrived, changed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  receiver.answer = async ({ path }, response) => {
    if (path !== "/old") return response.writeHead(204).end();
    arrived.resolve();
    await changed.promise;
    return response.writeHead(status).end();
  };
  await rename("During");
  const sending = send();
  await arrived.promise;
  await change();
  changed.resolve();
  await sending;
}

describe("an endpoint that an owner changes during an attempt", () => {
  it("is not disabled by the 410 of its earlier address, and gets the event at the new one", async () => {
    const { id } = await create("old");
    await sendDuring(() => hooks().update({ id, url: `${receiver.url}new` }));
    expect(await endpoint()).toMatchObject({ status: "ENABLED" });
    purser.clock.advance(minute);
    await send();
    expect(pathsOf()).toEqual(["/old", "/new"]);
  });

  it("is not failing because of an attempt at its earlier address", async () => {
    const { id } = await create("old");
    await sendDuring(() => hooks().update({ id, url: `${receiver.url}new` }), 500);
    const [row] = await purser.db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, id));
    expect(row).toMatchObject({ failingSince: null, failedAt: null });
  });

  it("is not disabled by an attempt from before it was enabled, and goes on when that has ended", async () => {
    const { id } = await create("old");
    await sendDuring(async () => {
      await hooks().update({ id, status: "DISABLED" });
      await hooks().update({ id, status: "ENABLED" });
    });
    expect(await endpoint()).toMatchObject({ status: "ENABLED" });
    receiver.answer = (_, response) => response.writeHead(204).end();
    await rename("After");
    purser.clock.advance(minute);
    await send();
    const names = receiver.received.map(({ body }) => JSON.parse(body).data.data.name as string);
    expect(names).toEqual(["During", "After"]);
  });
});

describe("an endpoint that fails for five days", () => {
  /** Sends something every day, as long as the series of failures must last. */
  async function failForDays(): Promise<void> {
    for (let days = 0; days < 5; days += 1) {
      await rename(`At ${purser.clock.now().toISOString()}`);
      await send();
      purser.clock.advance(day);
    }
  }

  it("is not disabled by the first failure at a new address", async () => {
    const { id } = await create("old");
    receiver.answer = (_, response) => response.writeHead(500).end();
    await failForDays();
    await hooks().update({ id, url: `${receiver.url}new` });
    await rename("New address");
    await send();
    expect(pathsOf()).toContain("/new");
    expect(await endpoint()).toMatchObject({ status: "ENABLED" });
  });

  it("is not disabled if it has taken an event by the time that its row is locked", async () => {
    const { id, url } = await create("hook");
    const lease = "lease";
    const leasedUntil = purser.clock.now();
    const since = (failingSince: Date | null) =>
      purser.db.update(webhookEndpoints).set({ lease, leasedUntil, failingSince });
    const disable = () =>
      disableFailingEndpoint(purser.platform, { organizationId, id, lease, url }, "failing");
    await since(null);
    await disable();
    expect(await endpoint()).toMatchObject({ status: "ENABLED" });
    await since(new Date(purser.clock.now().getTime() - 5 * day));
    await disable();
    expect(await endpoint()).toMatchObject({ status: "DISABLED" });
  });
});
