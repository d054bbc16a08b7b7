import type { Hono } from "hono";
import { html } from "hono/html";
import type { HttpEnv } from "../http/context.ts";
import type { Service } from "../service.ts";
import { answerPage } from "./layout.ts";

interface Tile {
  href: string;
  name: string;
  says: string;
}

const tiles: Tile[] = [
  { href: "/docs", name: "API reference", says: "Every address, with its fields, to read and to try" },
  { href: "/openapi.json", name: "OpenAPI 3.1", says: "The same for programs" },
  { href: "/docs/problems", name: "Errors", says: "Every error code and what it means" },
  { href: "/health/ready", name: "Health", says: "Whether the service can answer right now" },
  { href: "/metrics", name: "Metrics", says: "What Prometheus reads" },
];
const plansTile = {
  href: "/api/billing/plans",
  name: "Plans",
  says: "What there is to subscribe to, and what it costs",
};
const mailboxTile = { href: "/dev/mail", name: "Mailbox", says: "The mails that would have been sent" };

/** The door for people: where everything is, and who is signed in. */
export function landingPage(app: Hono<HttpEnv>, { mailbox, platform }: Service): void {
  const { baseUrl } = platform.settings;
  const sells = platform.payments.configured.length > 0;
  const shown = [...tiles, ...(sells ? [plansTile] : []), ...(mailbox === null ? [] : [mailboxTile])];
  app.get("/", (c) =>
    answerPage(c, {
      title: "Welcome",
      width: "wide",
      script: "landing",
      body: html`<h1>A company’s money, in one service</h1>
        <p class="soft">
          Bank accounts, cards with rules that hold, organizations and billing. This is ${baseUrl}.
        </p>
        <div class="row" id="signed-out" hidden>
          <a class="button" href="/sign-in">Sign in</a>
          <a class="button plain" href="/sign-up">Create an account</a>
        </div>
        <div id="signed-in" hidden>
          <p>You are signed in as <strong id="who"></strong>.</p>
          <button class="plain" id="sign-out" type="button">Sign out</button>
        </div>
        <ul class="tiles">
          ${shown.map(
            ({ href, name, says }) =>
              html`<li>
                <a href="${href}"><strong>${name}</strong><span>${says}</span></a>
              </li>`,
          )}
        </ul>`,
    }),
  );
}
