import { type TestPurser, createTestPurser } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { platformHandlers } from "../jobs/handlers.ts";
import { startWorker } from "../jobs/worker.ts";
import { receiveWebhook } from "./receive.ts";
import type { WebhookArea, WebhookReceiver } from "./receiver.ts";

/** Receives the events of one provider. The body is the event's id. */
function receiverOf(area: WebhookArea, provider: string, apply: WebhookReceiver["apply"]): WebhookReceiver {
  const verify = (body: Buffer) => ({ outcome: "verified", eventId: body.toString(), type: "test" }) as const;
  return { area, provider, verify, apply };
}

let purser: TestPurser;
beforeAll(async () => {
  purser = await createTestPurser();
});
afterAll(() => purser.close());

describe("a provider that hangs", () => {
  it("holds up no event of another area or of another provider", async () => {
    const recovered = Promise.withResolvers<void>();
    const applied: string[] = [];
    let hanging = 0;
    const apply: WebhookReceiver["apply"] = async ({ eventId }) => {
      applied.push(eventId);
      return "APPLIED";
    };
    const stuck = receiverOf("billing", "stripe", async (event) => {
      hanging += 1;
      await recovered.promise;
      return apply(event);
    });
    const [card, other] = [receiverOf("cards", "stripe", apply), receiverOf("billing", "paddle", apply)];
    const receivers = [stuck, card, other];
    const mail = { send: async () => {} };
    const handlers = platformHandlers(purser.platform, { mail, receivers, tasks: [] });
    const receive = (receiver: WebhookReceiver, id: string) =>
      receiveWebhook(purser.platform, receiver, Buffer.from(id), new Headers());
    const isApplied = (id: string) =>
      vi.waitFor(() => expect(applied).toContain(id), { timeout: 60_000, interval: 5 });

    for (let count = 0; count < 10; count += 1) await receive(stuck, `stuck ${count}`);
    const worker = await startWorker(purser.platform, handlers);
    await vi.waitFor(() => expect(hanging).toBeGreaterThan(0), { timeout: 60_000, interval: 5 });
    await receive(card, "card");
    await isApplied("card");
    await receive(other, "other");
    await isApplied("other");
    await receive(other, "next");
    await isApplied("next");

    recovered.resolve();
    await vi.waitFor(() => expect(applied).toHaveLength(13), { timeout: 60_000 });
    await worker.stop();
  });
});
