import { isId } from "@purser/core";
import type { Hono } from "hono";
import { html } from "hono/html";
import type { HttpEnv } from "../http/context.ts";
import type { AppService } from "../service.ts";
import { respondWithPage, needsScript, notice, organizationsLink } from "./layout.ts";

/** The page that an invitation mail links to. The API decides who may see the invitation. */
export function invitationPage(app: Hono<HttpEnv>, { platform }: AppService): void {
  const body = invitation(platform.settings.requireVerifiedEmail);
  app.get("/invitations/:id", (c) => {
    if (!isId("inv", c.req.param("id"))) {
      return respondWithPage(c, { title: "No such invitation", body: unknown, status: 404 });
    }
    return respondWithPage(c, { title: "Invitation", script: "invitation", body });
  });
}

const unknown = html`<h1>No such invitation</h1>
  <p>The link is incomplete. Open it from the mail again, or copy the whole link.</p>
  ${organizationsLink}`;

// Neutral until the API shows the invitation to a signed-in user: until then, nobody may learn whether it exists.
const invitation = (requiresVerifiedEmail: boolean) =>
  html`<h1 id="heading" tabindex="-1">Invitation</h1>
    ${needsScript}
    <p class="soft" id="loading">One moment …</p>
    <section id="signed-out" hidden>
      <p>
        Sign in with the address that received the link, or create an account for it. Then you see whether the
        invitation is open.
      </p>
      <div class="row">
        <a class="button" href="/sign-in" data-returns>Sign in</a>
        <a class="button plain" href="/sign-up" data-returns>Create an account</a>
      </div>
    </section>
    <section id="unverified" ${requiresVerifiedEmail ? "data-required" : ""} hidden>
      <p>
        First confirm that <strong data-email></strong> is your address. Then we can look for its invitation.
      </p>
      <button type="button" id="send-verification">Send the link</button>
    </section>
    <section id="not-found" hidden>
      <p>We found no invitation for you. It may be for another address, revoked, or already accepted.</p>
      <p>
        If you have accepted it, your organizations include its organization. Otherwise ask the person who
        invited you for a new invitation.
      </p>
    </section>
    <section id="for-another" hidden>
      <p>This invitation is for <strong id="invited"></strong>. Only that person can accept it.</p>
    </section>
    <section id="offer" hidden>
      <p>You can join as <strong id="role"></strong> with <strong data-email></strong>.</p>
      <p class="hint">The invitation expires on <time id="expires"></time>.</p>
      <button type="button" id="accept">Accept the invitation</button>
    </section>
    <section id="expired" hidden>
      <p>Ask the person who invited you for a new invitation.</p>
    </section>
    ${notice}
    <section id="account" hidden>
      <p>You are signed in as <strong data-email></strong>.</p>
      <button type="button" class="plain" id="sign-out">Use another account</button>
    </section>
    <div id="onward" hidden>${organizationsLink}</div>`;
