import { randomBytes, randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { createTestPurser } from "@purser/router/testing";
import { sandboxSecret, signSandboxEvent } from "../../packages/router/src/platform/inbox/sandbox.ts";
import { measurePosts, startTarget } from "../load.ts";
import { measureTable } from "../table.ts";

/** The share of verifying a signature and inserting one row, by hand. */
const goal = 0.5;
const atOnce = 32;

const service = fileURLToPath(new URL("../banking/service.ts", import.meta.url));
const handWritten = fileURLToPath(new URL("./hand-written.ts", import.meta.url));

/** Webhooks taken in: verified, stored once with their body sealed, with a job to apply them, and only then answered. */
export async function accepting(): Promise<void> {
  const authSecret = randomBytes(32).toString("base64url");
  const purser = await createTestPurser({ settings: { authSecret } });
  const environment = {
    DATABASE_URL: purser.platform.settings.databaseUrl!,
    AUTH_SECRET: authSecret,
    ENCRYPTION_KEYS: `1:${randomBytes(32).toString("base64")}`,
    BASE_URL: "http://localhost:3000",
    SMTP_URL: "none",
    LOCAL_BILLING: "1",
    LOG_LEVEL: "silent",
    REQUESTS_PER_CALLER: "100000000",
  };
  await purser.db.$client`
    CREATE TABLE raw_events (id text PRIMARY KEY, body text NOT NULL, at timestamptz NOT NULL)`;
  const [limit, whole] = [
    await startTarget(handWritten, environment),
    await startTarget(service, environment),
  ];
  const secret = sandboxSecret({ authSecret }, "billing");
  const next = () => {
    const data = { organizationId: "org_1", subscriptionId: "sub_1" };
    const body = JSON.stringify({ id: randomUUID(), type: "subscription.updated", data });
    const headers = signSandboxEvent(secret, Buffer.from(body), new Date());
    return { body, headers: Object.fromEntries(headers) };
  };
  const post = (address: string) => () =>
    measurePosts(address, next, { atOnce, expected: JSON.stringify({ received: true }) });
  try {
    const byHand = "by hand: verified, and one row inserted";
    await measureTable(
      "Taking in signed webhooks",
      byHand,
      [
        [byHand, post(`${limit.baseUrl}/webhook`)],
        ["the whole service", post(`${whole.baseUrl}/api/webhooks/billing/local`), goal],
      ],
      atOnce,
    );
  } finally {
    await Promise.all([limit.stop(), whole.stop()]);
    await purser.close();
  }
}
