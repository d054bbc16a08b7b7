import { html } from "hono/html";
import type { HttpContext } from "../http/context.ts";
import { respond } from "../http/response.ts";
import type { Markup } from "./layout.ts";

/** A sandbox page that imitates a bank or a payment provider. */
interface GuestPage {
  title: string;
  /** The name of the imitated company. */
  host: string;
  /** Says that the page is not real. */
  hint: string;
  /** The name of its style sheet and icon in `/assets`. */
  looks: keyof typeof hosts;
  body: Markup;
  status: 200 | 400 | 404 | 409;
  headers: Readonly<Record<string, string>>;
}

/** The hosts to which the design tokens give a color. */
const hosts = { "sandbox-bank": "bank", "sandbox-billing": "payments" };

/** The link of an expired or unknown page of the sandbox, which has no return address. */
export const backToPurser = html`<p><a href="/">Go back to Purser</a></p>`;

/** Responds with a page in our design with a color of its host, so that people notice where they are. */
export async function respondWithGuestPage(c: HttpContext, page: GuestPage): Promise<Response> {
  const { title, host, hint, looks, body, status, headers } = page;
  const markup = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="/assets/${looks}.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/assets/tokens.css" />
        <link rel="stylesheet" href="/assets/guest.css" />
        <link rel="stylesheet" href="/assets/${looks}.css" />
      </head>
      <body data-host="${hosts[looks]}">
        <a class="skip" href="#main">Skip to the content</a>
        <header>
          <span class="brand"><img src="/assets/${looks}.svg" alt="" width="32" height="32" /> ${host}</span>
          <span class="hint">${hint}</span>
        </header>
        <main id="main">${body}</main>
      </body>
    </html>`;
  return respond(c, status, String(await markup), { ...headers, "Content-Type": "text/html; charset=utf-8" });
}
