import type { Hono } from "hono";
import { html } from "hono/html";
import { readBytes } from "../http/body.ts";
import type { HttpEnv } from "../http/context.ts";
import { apiHeaders } from "../http/headers.ts";
import { respond } from "../http/response.ts";
import { type Markup, respondWithPage } from "./layout.ts";

interface ReceivedWebhook {
  id: string;
  at: Date;
  body: string;
}

/** As many as a person reads, and not more memory than they take. */
const kept = 20;
const shownCharacters = 10_000;

/**
 * A receiver of webhooks for development, which accepts everything and shows it. The endpoint of the demo data sends to it.
 * It keeps the newest ones in memory, and verifies no signature: what it shows may be from any program of this machine.
 */
export function webhookReceiverPages(app: Hono<HttpEnv>): void {
  const received: ReceivedWebhook[] = [];
  app.post("/dev/webhooks", async (c) => {
    const body = new TextDecoder().decode(await readBytes(c, "requests")).slice(0, shownCharacters);
    received.unshift({ id: c.req.header("webhook-id") ?? "without an id", at: new Date(), body });
    received.splice(kept);
    return respond(c, 204, null, apiHeaders);
  });
  app.get("/dev/webhooks", (c) =>
    respondWithPage(c, {
      title: "Received webhooks",
      width: "wide",
      body: received.length === 0 ? empty : listOf(received),
    }),
  );
}

const empty = html`<h1>Received webhooks</h1>
  <p class="soft">None yet. Add this address as a webhook endpoint, and what is sent to it appears here.</p>`;

const listOf = (received: readonly ReceivedWebhook[]): Markup =>
  html`<h1>Received webhooks</h1>
    <p class="soft">The newest ${kept} since the service started. This receiver verifies no signature.</p>
    ${received.map(
      ({ id, at, body }) =>
        html`<h2>${id}</h2>
          <p class="soft">
            <time datetime="${at.toISOString()}">${at.toISOString().slice(0, 19).replace("T", " ")} UTC</time>
          </p>
          <pre tabindex="0">${indented(body)}</pre>`,
    )}`;

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
