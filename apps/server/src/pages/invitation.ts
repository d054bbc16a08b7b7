import { isId } from "@purser/core";
import type { Hono } from "hono";
import { html } from "hono/html";
import type { HttpEnv } from "../http/context.ts";
import { respondWithPage, needsScript, notice } from "./layout.ts";

/** The page that an invitation mail links to. The API decides who may see the invitation. */
export function invitationPage(app: Hono<HttpEnv>): void {
  app.get("/invitations/:id", (c) => {
    if (!isId("inv", c.req.param("id"))) {
      return respondWithPage(c, { title: "No such invitation", body: unknown, status: 404 });
    }
    return respondWithPage(c, { title: "Invitation", script: "invitation", body: invitation });
  });
}

const unknown = html`<h1>No such invitation</h1>
  <p>The link is incomplete. Open it from the mail again, or copy the whole link.</p>`;

const invitation = html`<h1 id="heading" tabindex="-1">You are invited</h1>
  ${needsScript}
  <p class="soft" id="loading">One moment …</p>
  <section id="signed-out" hidden>
    <p>Sign in with the invited address, or create an account for it.</p>
    <div class="row">
      <a class="button" href="/sign-in" data-returns>Sign in</a>
      <a class="button plain" href="/sign-up" data-returns>Create an account</a>
    </div>
  </section>
  <section id="unverified" hidden>
    <p>
      First confirm that <strong data-email></strong> is your address. Then we can show you its invitation.
    </p>
    <button type="button" id="send-verification">Send the link</button>
  </section>
  <section id="not-theirs" hidden>
    <p id="why">
      We found no invitation for you. It may be for another address, revoked, or already accepted.
    </p>
    <p>You are signed in as <strong data-email></strong>.</p>
    <button type="button" class="plain" id="sign-out">Use another account</button>
  </section>
  <section id="offer" hidden>
    <p>You can join as <strong id="role"></strong> with <strong data-email></strong>.</p>
    <p class="hint">The invitation expires on <time id="expires"></time>.</p>
    <button type="button" id="accept">Accept the invitation</button>
  </section>
  ${notice}
  <p class="below" id="onward" hidden><a href="/">Go to your organizations</a></p>`;
