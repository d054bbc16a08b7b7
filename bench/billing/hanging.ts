import { setTimeout as sleep } from "node:timers/promises";
import { type WebhookReceiver, receiveWebhook } from "@purser/platform/inbox";
import { platformHandlers, startWorker } from "@purser/platform/jobs";
import { createTestPurser } from "@purser/testing";
import { reportLine, recordGoal } from "../report.ts";

const hangingEvents = 10;
const rounds = 20;
const maxMs = 1000;

/** Measures how long a card event takes to apply while ten events of a payment provider hang. */
export async function hanging(): Promise<void> {
  const purser = await createTestPurser();
  const recovered = Promise.withResolvers<"APPLIED">();
  const applied = new Set<string>();
  const payments = receiverOf("billing", () => recovered.promise);
  const cards = receiverOf("cards", async ({ eventId }) => {
    applied.add(eventId);
    return "APPLIED";
  });
  const receivers = [payments, cards];
  const mail = { send: async () => {} };
  const worker = await startWorker(
    purser.platform,
    platformHandlers(purser.platform, { mail, receivers, tasks: [] }),
  );
  const receive = (receiver: WebhookReceiver, id: string) =>
    receiveWebhook(purser.platform, receiver, Buffer.from(id), new Headers());
  try {
    for (let count = 0; count < hangingEvents; count += 1) await receive(payments, `hanging ${count}`);
    const delays: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const start = performance.now();
      await receive(cards, `card ${round}`);
      while (!applied.has(`card ${round}`)) await sleep(1);
      delays.push(performance.now() - start);
    }
    const longest = Math.max(...delays);
    const verdict = recordGoal({
      what: "ten hanging events of one provider delay another area's by less than 1 s",
      measured: `${longest.toFixed(0)} ms`,
      goal: `under ${maxMs} ms`,
      holds: longest < maxMs,
    });
    reportLine(
      `\nA card event while ${hangingEvents} events of a payment provider hang: applied after at most ` +
        `${longest.toFixed(0)} ms, in ${rounds} rounds: ${verdict}`,
    );
  } finally {
    recovered.resolve("APPLIED");
    await worker.stop();
    await purser.close();
  }
}

/** Receives the events of one provider. The body is the event's id. */
function receiverOf(area: "billing" | "cards", apply: WebhookReceiver["apply"]): WebhookReceiver {
  const verify = (body: Buffer) =>
    ({ outcome: "verified", eventId: body.toString(), type: "bench" }) as const;
  return { area, provider: "stripe", verify, apply };
}
