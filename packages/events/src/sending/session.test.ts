import { setImmediate as nextTurn } from "node:timers/promises";
import { type TestPurser, createTestPurser } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { untilSettled } from "../testing/settled.ts";
import { type ClaimedEndpoint, claimEndpoints } from "./claim.ts";
import type { WebhookClient } from "./client.ts";
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
  const { webhookEndpoints, organizations } = purser.as(owner);
  await webhookEndpoints.create({ organizationId, url: "https://receiver.example/" });
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
