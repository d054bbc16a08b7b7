import { setImmediate as nextTurn } from "node:timers/promises";
import { webhookEndpoints } from "@purser/db";
import { type TestPurser, createTestPurser } from "@purser/testing";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { untilSettled } from "../testing/settled.ts";
import { type ClaimedEndpoint, claimEndpoints } from "./claim.ts";
import type { WebhookClient } from "./client.ts";
import { createRecorder } from "./recorder.ts";
import { type DeliveryLoader, EndpointSession } from "./session.ts";
import { SlowEndpoints } from "./slow-endpoints.ts";
import { loadDueDeliveries } from "./store/deliveries.ts";

let purser: TestPurser;
beforeAll(async () => {
  purser = await createTestPurser();
});
afterAll(() => purser.close());

const unhandled: unknown[] = [];
const note = (reason: unknown) => void unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", note));
afterAll(() => void process.off("unhandledRejection", note));

/** Claims a new endpoint that has two deliveries. */
async function claimed(): Promise<ClaimedEndpoint> {
  const owner = await purser.person();
  const organizationId = await purser.organization(owner);
  const { webhookEndpoints: hooks, organizations } = purser.as(owner);
  await hooks.create({ organizationId, url: "https://receiver.example/" });
  for (const name of ["One", "Two"]) await organizations.update({ id: organizationId, name });
  await untilSettled(purser.db, organizationId);
  const capacity = { healthy: 1, degraded: 0 };
  const { claimed: endpoints } = await claimEndpoints(purser.platform, organizationId, capacity);
  return endpoints[0]!;
}

const load: DeliveryLoader = ({ organizationId, lease }) =>
  loadDueDeliveries(purser.db, organizationId, {
    leases: [lease],
    now: purser.clock.now(),
    limit: 40,
  });

describe("a session whose results cannot be stored", () => {
  it("ends once its last attempt has, and the process goes on", async () => {
    const answers = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let sent = 0;
    const client: WebhookClient = {
      send: async () => {
        await answers[sent++]!.promise;
        return { statusCode: 204, error: null, retryAfter: undefined };
      },
      close: () => undefined,
    };
    const refused = Promise.withResolvers<void>();
    const record = async () => {
      refused.resolve();
      throw new Error("The database refuses the result");
    };
    const slow = new SlowEndpoints();
    const ports = { platform: purser.platform, client, load, record, slow, shouldYield: () => false };
    const ended = new EndpointSession(ports, await claimed(), performance.now()).run();
    answers[0]!.resolve();
    await refused.promise;
    // Node reports a rejection that nothing handles when the microtasks are done.
    await nextTurn();
    expect(unhandled).toEqual([]);
    await vi.waitUntil(() => sent === 2, { timeout: 60_000, interval: 5 });
    answers[1]!.resolve();
    expect(await ended).toBeNull();
  });
});

describe("a session that cannot load its deliveries", () => {
  const interrupted = async (failure: Error) => {
    const endpoint = await claimed();
    const client: WebhookClient = { send: () => Promise.reject(failure), close: () => undefined };
    const ports = {
      platform: purser.platform,
      client,
      load: () => Promise.reject(failure),
      record: createRecorder(purser.platform),
      slow: new SlowEndpoints(),
      shouldYield: () => false,
    };
    const dueAt = await new EndpointSession(ports, endpoint, performance.now()).run();
    const [{ lease }] = (await purser.db
      .select()
      .from(webhookEndpoints)
      .where(eq(webhookEndpoints.id, endpoint.id))) as [typeof webhookEndpoints.$inferSelect];
    return { dueAt, isClaimed: lease === endpoint.lease };
  };

  const failing = (code: string) => Object.assign(new Error(code), { name: "PostgresError", code });

  it.each(["ECONNREFUSED", "RESPONSE_TIMEOUT", "57P01"])(
    "ends its claim if the database was away, so that sending goes on at once: %s",
    async (code) => {
      const outcome = await interrupted(failing(code));
      expect(outcome).toEqual({ dueAt: purser.clock.now(), isClaimed: false });
    },
  );

  it.each(["POOL_TIMEOUT", "53300", "57014", "22P02"])(
    "keeps its claim if the database is busy or refuses, so that nothing is repeated without a pause: %s",
    async (code) => {
      expect(await interrupted(failing(code))).toEqual({ dueAt: null, isClaimed: true });
    },
  );
});
