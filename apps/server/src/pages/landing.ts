import type { Hono } from "hono";
import { html } from "hono/html";
import type { HttpEnv } from "../http/context.ts";
import type { AppService } from "../service.ts";
import { notice, respondWithPage } from "./layout.ts";

interface Tile {
  href: string;
  name: string;
  description: string;
}

const tiles: Tile[] = [
  {
    href: "/docs/guide",
    name: "Guide",
    description: "From nothing to a card purchase and its explained decline",
  },
  {
    href: "/docs",
    name: "API reference",
    description: "Every operation, with samples in curl and TypeScript",
  },
  { href: "/openapi.json", name: "OpenAPI 3.1", description: "The machine-readable API description" },
  { href: "/docs/problems", name: "Errors", description: "Every error code and what it means" },
  { href: "/health/ready", name: "Health", description: "Whether the service is ready" },
  { href: "/metrics", name: "Metrics", description: "Metrics for Prometheus" },
];
const plansTile = {
  href: "/api/billing/plans",
  name: "Plans",
  description: "Subscriptions and their prices",
};
const mailboxTile = {
  href: "/dev/mail",
  name: "Mailbox",
  description: "Mails that development stores instead of sending",
};

const webhooksTile = {
  href: "/dev/webhooks",
  name: "Received webhooks",
  description: "A receiver for development, which the demo sends to",
};

/**
 * The start page: the signed-in user with their organizations, and links for developers. Those are folded for a signed-in
 * user, who sees this page only where no console is served.
 */
export function landingPage(app: Hono<HttpEnv>, { mailbox, platform }: AppService): void {
  const { baseUrl } = platform.settings;
  const sells = platform.payments.configured.length > 0;
  const shown = [
    ...tiles,
    ...(sells ? [plansTile] : []),
    ...(mailbox === null ? [] : [mailboxTile]),
    ...(platform.settings.production ? [] : [webhooksTile]),
  ];
  app.get("/", (c) =>
    respondWithPage(c, {
      title: "Welcome",
      width: "wide",
      script: "landing",
      body: html`<h1>A company’s money, in one service</h1>
        <p class="soft">
          Bank accounts, cards with enforced policies, organizations and billing. This is ${baseUrl}.
        </p>
        <div class="row" id="signed-out" hidden>
          <a class="button" href="/sign-in">Sign in</a>
          <a class="button plain" href="/sign-up">Create an account</a>
        </div>
        <div id="signed-in" hidden>
          <p>You are signed in as <strong id="who"></strong>.</p>
          <h2 id="organizations-title">Your organizations</h2>
          <ul class="list" id="organizations" aria-labelledby="organizations-title"></ul>
          <p id="no-organization" hidden>
            You are not a member of an organization yet. Open the link of an invitation, or create an
            organization.
          </p>
          <form method="post" id="create-organization" hidden>
            <label for="name">Name of the organization</label>
            <input id="name" name="name" required maxlength="200" autocomplete="organization" />
            <button>Create it</button>
          </form>
          ${notice}
          <div class="row">
            <a class="button plain" href="/account">Your account</a>
            <button class="plain" id="sign-out" type="button">Sign out</button>
          </div>
        </div>
        <details id="developers" open>
          <summary><h2>For developers</h2></summary>
          <ul class="tiles">
            ${shown.map(
              ({ href, name, description }) =>
                html`<li>
                  <a href="${href}"><strong>${name}</strong><span>${description}</span></a>
                </li>`,
            )}
          </ul>
        </details>`,
    }),
  );
}
