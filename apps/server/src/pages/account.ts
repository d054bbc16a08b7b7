import type { Hono } from "hono";
import { html } from "hono/html";
import type { HttpContext, HttpEnv } from "../http/context.ts";
import { pageHeaders } from "../http/headers.ts";
import { respond } from "../http/response.ts";
import { respondWithPage, needsScript, notice } from "./layout.ts";

const emailField = html`<label for="email">E-mail address</label>
  <input id="email" name="email" type="email" autocomplete="username" required maxlength="254" />`;

const newPasswordField = html`<label for="password">Password</label>
  <input
    id="password"
    name="password"
    type="password"
    autocomplete="new-password"
    required
    minlength="8"
    maxlength="128"
    aria-describedby="password-hint"
  />
  <p class="hint" id="password-hint">At least 8 characters.</p>`;

/** Serves sign-in and sign-up, and the pages that mails link to: confirming an address, choosing a password. */
export function accountPages(app: Hono<HttpEnv>): void {
  const paths = ["/sign-in", "/sign-up", "/forgot-password", "/reset-password", "/verify-email"];
  for (const path of paths) app.post(path, (c) => showAgain(c, path));
  app.get("/sign-in", (c) => respondWithPage(c, { title: "Sign in", script: "sign-in", body: signIn }));
  app.get("/sign-up", (c) =>
    respondWithPage(c, { title: "Create an account", script: "sign-up", body: signUp }),
  );
  app.get("/forgot-password", (c) =>
    respondWithPage(c, { title: "Forgot your password?", script: "forgot-password", body: forgotPassword }),
  );
  app.get("/reset-password", (c) =>
    respondWithPage(c, { title: "Choose a new password", script: "reset-password", body: resetPassword }),
  );
  app.get("/verify-email", (c) =>
    respondWithPage(c, { title: "Confirm your e-mail address", script: "verify-email", body: verifyEmail }),
  );
}

/**
 * Answers a form that the browser has submitted, because its script has not run. Reads nothing of the body, and keeps the
 * query: the token of a mail, or where to go after sign-in.
 */
function showAgain(c: HttpContext, path: string): Response {
  const { search } = new URL(c.req.url);
  return respond(c, 303, null, { ...pageHeaders, Location: path + search });
}

// Scripts handle these forms. The method matters while they do not run: GET would put the password into the address.
const signIn = html`<h1>Sign in</h1>
  ${needsScript}
  <form method="post" id="credentials">
    ${emailField}
    <label for="password">Password</label>
    <input
      id="password"
      name="password"
      type="password"
      autocomplete="current-password"
      required
      maxlength="128"
    />
    <button>Sign in</button>
  </form>
  <form method="post" id="second-factor" hidden>
    <p>Enter the code that your authenticator app shows, or one of your backup codes.</p>
    <label for="code">Code</label>
    <input id="code" name="code" autocomplete="one-time-code" required maxlength="64" spellcheck="false" />
    <button>Continue</button>
  </form>
  ${notice}
  <p class="below">
    New here? <a href="/sign-up" data-keeps-next>Create an account</a><br />
    <a href="/forgot-password">Forgot your password?</a>
  </p>`;

const signUp = html`<h1>Create an account</h1>
  ${needsScript}
  <form method="post">
    <label for="name">Your name</label>
    <input id="name" name="name" autocomplete="name" required maxlength="200" />
    ${emailField} ${newPasswordField}
    <button>Create account</button>
  </form>
  ${notice}
  <p class="below">Have an account? <a href="/sign-in" data-keeps-next>Sign in</a></p>`;

const forgotPassword = html`<h1>Forgot your password?</h1>
  <p class="soft">We will send you a link to choose a new one.</p>
  ${needsScript}
  <form method="post">
    ${emailField}
    <button>Send the link</button>
  </form>
  ${notice}
  <p class="below"><a href="/sign-in">Back to sign-in</a></p>`;

const resetPassword = html`<h1>Choose a new password</h1>
  <p class="soft">You will be signed out everywhere else.</p>
  ${needsScript}
  <form method="post">
    ${newPasswordField}
    <button>Save the password</button>
  </form>
  ${notice}
  <p class="below"><a href="/forgot-password">Send a new link</a> · <a href="/sign-in">Sign in</a></p>`;

// A button, because mail scanners open links. Only the owner may confirm an address.
const verifyEmail = html`<h1>Confirm your e-mail address</h1>
  ${needsScript}
  <form method="post" id="confirm">
    <p class="soft">Press the button to confirm that this address is yours.</p>
    <button>Confirm</button>
  </form>
  <form method="post" id="again" hidden>
    ${emailField}
    <button>Send a new link</button>
  </form>
  ${notice}
  <p class="below"><a href="/">Go to the start page</a></p>`;
