import type { Hono } from "hono";
import { html } from "hono/html";
import type { HttpEnv } from "../http/context.ts";
import { type Markup, needsScript, notice, respondWithPage } from "./layout.ts";

/**
 * The page on which users look after their own account. It contains nothing of the user: its script calls the API, so
 * that secrets are in the responses of the API only.
 */
export function ownAccountPage(app: Hono<HttpEnv>): void {
  app.get("/account", (c) =>
    respondWithPage(c, { title: "Your account", width: "wide", script: "own-account", body: ownAccount }),
  );
}

const passwordField = (id: string, label: string, isNew = false): Markup =>
  html`<label for="${id}">${label}</label>
    <input
      id="${id}"
      name="${isNew ? "newPassword" : "password"}"
      type="password"
      autocomplete="${isNew ? "new-password" : "current-password"}"
      required
      maxlength="128"
      ${isNew ? html`minlength="8" aria-describedby="${id}-hint"` : ""}
    />
    ${isNew ? html`<p class="hint" id="${id}-hint">At least 8 characters.</p>` : ""}`;

const keyFields = (id: string): Markup =>
  html`<label for="${id}-name">Name</label>
    <input id="${id}-name" name="name" required maxlength="200" />
    <label for="${id}-days">Valid for</label>
    <select id="${id}-days" name="days">
      <option value="90">90 days</option>
      <option value="365">one year</option>
      <option value="">as long as it is not revoked</option>
    </select>`;

/** A heading, what the section is for, and where it reports success or failure. */
const section = (id: string, title: string, body: Markup): Markup =>
  html`<section id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title" tabindex="-1">${title}</h2>
    ${body} ${notice}
  </section>`;

// Forms have a method for the reason that account.ts gives, although they are hidden until their script runs.
const passwordSection = section(
  "password",
  "Password",
  html`<form method="post" id="change-password">
    ${passwordField("old-password", "Your password")} ${passwordField("new-password", "New password", true)}
    <p class="hint">You will be signed out everywhere else.</p>
    <button>Change the password</button>
  </form>`,
);

const secondFactorSection = section(
  "second-factor",
  "Two-factor sign-in",
  html`<div id="factor-off" hidden>
      <p>A sign-in asks for your password only. Add a code from an authenticator app.</p>
      <form method="post" id="enable-factor">
        ${passwordField("enable-password", "Your password")}
        <button>Set it up</button>
      </form>
    </div>
    <div id="factor-setup" hidden>
      <ol>
        <li>
          <p>Add this key to your authenticator app.</p>
          <p><code class="secret" id="factor-secret"></code></p>
          <p><a id="factor-link">Open it in the app on this device</a></p>
        </li>
        <li>
          <p>Write down these backup codes. Each signs you in once, if you lose the app.</p>
          <ul class="secret" id="backup-codes"></ul>
        </li>
        <li><p>Enter the code that the app shows now.</p></li>
      </ol>
      <form method="post" id="confirm-factor">
        <label for="factor-code">Code</label>
        <input
          id="factor-code"
          name="code"
          inputmode="numeric"
          autocomplete="one-time-code"
          required
          maxlength="10"
        />
        <button>Switch it on</button>
      </form>
    </div>
    <div id="factor-on" hidden>
      <p>A sign-in asks for a code from your authenticator app.</p>
      <form method="post" id="disable-factor">
        ${passwordField("disable-password", "Your password")}
        <button class="plain">Switch it off</button>
      </form>
    </div>`,
);

const sessionsSection = section(
  "sessions",
  "Where you are signed in",
  html`<ul class="list" id="session-list"></ul>
    <button type="button" class="plain" id="end-others" hidden>Sign out everywhere else</button>`,
);

const shownKey = (id: string): Markup =>
  html`<div class="shown-key" id="${id}" hidden tabindex="-1">
    <p>Copy the key now. It is not shown again.</p>
    <p><code class="secret"></code></p>
  </div>`;

const keysSection = section(
  "keys",
  "Your API keys",
  html`<p class="soft">A program with such a key acts as you. It cannot change this account.</p>
    <ul class="list" id="key-list"></ul>
    ${shownKey("shown-key")}
    <form method="post" id="create-key">
      ${keyFields("key")}
      <button>Create a key</button>
    </form>`,
);

const organizationKeysSection = section(
  "organization-keys",
  "API keys of your organizations",
  html`<p class="soft">
      A program with such a key acts as a member of the organization. It keeps working when you leave.
    </p>
    <form method="post" id="choose-organization">
      <label for="organization">Organization</label>
      <select id="organization" name="organizationId"></select>
    </form>
    <ul class="list" id="organization-key-list"></ul>
    ${shownKey("shown-organization-key")}
    <form method="post" id="create-organization-key">
      ${keyFields("organization-key")}
      <label for="access">It may</label>
      <select id="access" name="access">
        <option value="read">read what a member can read</option>
        <option value="write">also change what a member can change</option>
      </select>
      <button>Create a key</button>
    </form>`,
);

const ownAccount = html`<h1>Your account</h1>
  ${needsScript}
  <p class="soft" id="loading">One moment …</p>
  <div id="signed-out" hidden>
    <p>Sign in to see your account.</p>
    <a class="button" href="/sign-in?next=/account">Sign in</a>
  </div>
  <div id="signed-in" hidden>
    <p>You are signed in as <strong id="who"></strong>. <a href="/">Go to the start page</a></p>
    ${passwordSection} ${secondFactorSection} ${sessionsSection} ${keysSection} ${organizationKeysSection}
  </div>`;
