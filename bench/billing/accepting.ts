import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { sandboxSecret, signSandboxEvent } from "@purser/platform/inbox";
import { createTestPurser, startTestServer } from "@purser/testing";
import { forkTarget, measurePosts, startTarget } from "../load.ts";
import { measureTable } from "../table.ts";
import { newSecrets, variablesOfService } from "../whole-service.ts";

/** The goal as a share of a hand-written route that verifies the signature and inserts one row. */
const goal = 0.5;
const atOnce = 32;

/**
 * Measures received webhooks: the service verifies each, stores it once with its body sealed, enqueues a job to apply
 * it, and only then responds. The response promises durability, so the goal holds for a database that waits for its
 * disk at every commit.
 */
export async function accepting(): Promise<void> {
  await compare("Accepting signed webhooks, without waiting for the disk");
  const server = await startTestServer({ durable: true });
  try {
    await compare("Accepting signed webhooks, each on disk before the response", goal);
  } finally {
    await server.stop();
  }
}

async function compare(title: string, share?: number): Promise<void> {
  const secrets = newSecrets();
  const purser = await createTestPurser({ settings: secrets });
  const environment = {
    ...variablesOfService(purser.platform.settings.databaseUrl!, secrets),
    LOCAL_BILLING: "1",
  };
  await purser.db.$client`
    CREATE TABLE raw_events (id text PRIMARY KEY, body text NOT NULL, at timestamptz NOT NULL)`;
  const [limit, whole] = [
    await forkTarget(join(import.meta.dirname, "hand-written.ts"), environment),
    await startTarget("service.ts", environment),
  ];
  const secret = sandboxSecret(secrets, "billing");
  const next = () => {
    const data = { organizationId: "org_1", subscriptionId: "sub_1" };
    const body = JSON.stringify({ id: randomUUID(), type: "subscription.updated", data });
    const headers = signSandboxEvent(secret, Buffer.from(body), new Date());
    return { body, headers: Object.fromEntries(headers) };
  };
  const post = (address: string) => () =>
    measurePosts(address, next, { atOnce, expected: JSON.stringify({ received: true }) });
  try {
    const ours = ["the whole service", post(`${whole.baseUrl}/api/webhooks/billing/local`)] as const;
    const byHand = "by hand: verified, and one row inserted";
    await measureTable(
      title,
      byHand,
      [[byHand, post(`${limit.baseUrl}/webhook`)], share === undefined ? ours : [...ours, share]],
      atOnce,
    );
  } finally {
    await Promise.all([limit.stop(), whole.stop()]);
    await purser.close();
  }
}
