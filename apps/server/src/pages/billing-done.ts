import type { Hono } from "hono";
import { html } from "hono/html";
import type { HttpEnv } from "../http/context.ts";
import { answerPage } from "./layout.ts";

/** Where people come from a payment page when the front end names no place of its own. */
export function billingDonePage(app: Hono<HttpEnv>): void {
  app.get("/billing/done", (c) => {
    const isPaid = c.req.query("checkout") === "completed";
    const again = `/billing/checkouts/${encodeURIComponent(c.req.query("checkoutId") ?? "")}/return`;
    return answerPage(
      c,
      isPaid ? { title: "Thank you", body: paid } : { title: "Not paid yet", body: open(again) },
    );
  });
}

const paid = html`<h1>Thank you</h1>
  <p>The subscription is in force. You can close this page.</p>`;

const open = (again: string) =>
  html`<h1>Not paid yet</h1>
    <p>Nothing was paid, or the payment still has to be confirmed.</p>
    <a class="button" href="${again}">Look again</a>`;
