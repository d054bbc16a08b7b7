// @module-tag slow
import { webhookEndpoints } from "@purser/db";
import {
  type Person,
  type ReplicatedPostgres,
  type TcpProxy,
  type TestPurser,
  createTestPurser,
  startReplicatedPostgres,
  startTcpProxy,
  testSettings,
} from "@purser/testing";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type WebhookReceiverServer, startReceiver } from "../testing/receiver.ts";
import { nameOfEvent, readStream } from "../testing/stream-reader.ts";

/** Null if no replica can be started; then the test is skipped. */
let started: ReplicatedPostgres | null = null;
let servers: ReplicatedPostgres;
let proxy: TcpProxy;
let purser: TestPurser;
let receiver: WebhookReceiverServer;
let owner: Person;
let organizationId: string;

beforeAll(async () => {
  started = await startReplicatedPostgres();
  if (started === null) return;
  servers = started;
  proxy = await startTcpProxy(servers.primaryUrl);
  const { encryptionKeys } = testSettings();
  purser = await createTestPurser({ settings: { databaseUrl: proxy.url, encryptionKeys } });
  receiver = await startReceiver();
  owner = await purser.person();
  organizationId = await purser.organization(owner);
});
afterAll(async () => {
  if (started === null) return;
  await receiver.close();
  await purser.close();
  await proxy.close();
  await servers.stop();
});

beforeEach(({ skip }) => skip(started === null, "No PostgreSQL comes with the install on this platform"));

async function rename(prefix: string, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_, nth) => `${prefix} ${nth}`);
  for (const name of names) await purser.as(owner).organizations.update({ id: organizationId, name });
  return names;
}

const createEndpoint = (path: string) =>
  purser.as(owner).webhookEndpoints.create({ organizationId, url: `${receiver.url}${path}` });

describe("a failover that loses transactions", () => {
  it("hides no later event from a reader that has seen lost ones, in a process that goes on", async () => {
    const { standby } = servers;
    await createEndpoint("before");
    const kept = await rename("kept", 1);
    await vi.waitFor(async () => {
      expect(await standby.select().from(webhookEndpoints)).toHaveLength(1);
      expect(await standby.execute(sql`SELECT FROM events WHERE data LIKE '%kept 0%'`)).toHaveLength(1);
    }, 60_000);
    servers.disconnectReplica();

    const stream = readStream(await purser.as(owner).events.stream({ organizationId }));
    const lost = await rename("lost", 20);
    await stream.until(20);
    const feed = (cursor?: string) =>
      purser.as(owner).events.feed({ organizationId, ...(cursor !== undefined && { cursor }) });
    const before = await feed();
    expect(before.events.map(nameOfEvent)).toEqual([...kept, ...lost]);

    proxy.refuse();
    await servers.failOver();
    proxy.leadTo(servers.replicaUrl);
    proxy.restore();
    await vi.waitFor(() => feed(), 60_000);
    await createEndpoint("after");
    const later = await rename("later", 5);
    await vi.waitFor(async () => {
      const { events } = await feed(before.cursor);
      expect(events.map(nameOfEvent)).toEqual(later);
    }, 60_000);
    await stream.until(25);
    expect(stream.seen).toEqual([...lost, ...later]);
    await stream.stop();

    await purser.webhooks.drain();
    const sent = receiver.received.map(({ path, body }) => `${path} ${nameOfEvent(JSON.parse(body).data)}`);
    expect(sent.toSorted()).toEqual(
      [
        ...[...kept, ...later].map((name) => `/before ${name}`),
        ...later.map((name) => `/after ${name}`),
      ].toSorted(),
    );
  });
});
