import { type TestPurser, createTestPurser } from "@purser/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { findDecisionDatabase } from "./authorizations/store/decision-context.ts";
import { createCardFixture } from "./testing/card-scene.ts";
import { cardReceivers } from "./webhooks.ts";

let purser: TestPurser;
beforeAll(async () => {
  purser = await createTestPurser();
});
afterEach(() => vi.useRealTimers());
afterAll(() => purser.close());

describe("the answer to a card request", () => {
  it("leaves within 1.5 s, even if neither the decision nor the job that takes it back is stored", async () => {
    const card = await (await createCardFixture(purser)).card();
    const { platform } = purser;
    // Connections to the nodes of a cluster open by timers.
    await findDecisionDatabase(platform, { issuer: "sandbox", reference: card.reference });
    const [deciding, recovered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const hang = () => {
      deciding.resolve();
      return recovered.promise;
    };
    const [receiver] = cardReceivers({
      ...platform,
      decisionTimeoutMs: undefined,
      nodes: { ...platform.nodes, decisions: { poolOf: hang } } as never,
      outbox: { ...platform.outbox, enqueue: () => recovered.promise },
    });
    const body = JSON.stringify({
      id: "hanging",
      type: "authorization.request",
      data: {
        card: card.reference,
        at: purser.clock.now(),
        amount: 500,
        currency: "GBP",
        merchant: { name: "Corner Coffee" },
        channel: "online",
      },
    });

    // Time goes on, because the look-up of the card may open connections, as to the nodes of a cluster.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
    let answer: unknown;
    const answering = receiver!.respond!({
      eventId: "hanging",
      type: "authorization.request",
      body,
    } as never).then((one) => (answer = one));
    await deciding.promise;
    await vi.advanceTimersByTimeAsync(1500);
    const answerInTime = answer;
    vi.useRealTimers();
    recovered.resolve();
    await answering;
    expect(answerInTime).toMatchObject({
      body: JSON.stringify({ approved: false, reason: "decision_timed_out" }),
    });
  });
});
