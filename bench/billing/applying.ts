import { setTimeout as sleep } from "node:timers/promises";
import { startWorker } from "@purser/platform/jobs";
import { type BillingScene, billingScene } from "@purser/testing/billing";
import { reportLine } from "../report.ts";

const subscriptions = 50;
/** Events per subscription. */
const events = 20;

/**
 * Measures applied events. Each one fetches the subscription from the provider, over HTTP on this machine, and writes
 * the result.
 */
export async function applying(): Promise<void> {
  const scene = await billingScene("stripe");
  try {
    const { fake, purser } = scene;
    const received = [];
    for (let count = 0; count < subscriptions; count += 1) {
      const { reference } = await scene.buyer();
      const { subscriptionId } = fake.complete(reference);
      while (received.length < (count + 1) * events) received.push(...fake.renew(subscriptionId));
    }
    for (const event of received) await scene.deliver(event);
    const requestsBefore = fake.requests;
    const start = performance.now();
    const worker = await startWorker(purser.platform, purser.handlers);
    while (await isAnyPending(scene)) await sleep(20);
    const seconds = (performance.now() - start) / 1000;
    await worker.stop();
    reportLine(
      `\nApplying webhooks: ${Math.round(received.length / seconds)} events a second, each with one fetch from the provider ` +
        `(${received.length} events of ${subscriptions} subscriptions, ${fake.requests - requestsBefore} requests, ${seconds.toFixed(1)} s)`,
    );
  } finally {
    await scene.close();
  }
}

async function isAnyPending({ purser }: BillingScene): Promise<boolean> {
  const pending = await purser.db.$client`SELECT FROM webhook_deliveries WHERE status = 'PENDING' LIMIT 1`;
  return pending.length > 0;
}
