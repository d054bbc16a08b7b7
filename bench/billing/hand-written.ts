import { sandboxSecret, verifySandboxEvent } from "@purser/platform/inbox";
import { Hono } from "hono";
import postgres from "postgres";
import { serveUntilStopped } from "../serve-fetch.ts";

/** The minimum of a webhook, hand-written: verify the signature, and insert one row before the response. */
const { DATABASE_URL, AUTH_SECRET } = process.env;
const sql = postgres(DATABASE_URL!, { max: 10 });
const secret = sandboxSecret({ authSecret: AUTH_SECRET! }, "billing");

const app = new Hono();
app.post("/webhook", async (c) => {
  const body = await c.req.text();
  const checked = verifySandboxEvent(secret, Buffer.from(body), c.req.raw.headers, new Date());
  if (checked.outcome !== "verified") return c.json({ received: false }, 401);
  await sql`INSERT INTO raw_events VALUES (${checked.eventId}, ${body}, now()) ON CONFLICT DO NOTHING`;
  return c.json({ received: true });
});

serveUntilStopped(app.fetch, () => sql.end());
