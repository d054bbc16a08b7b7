import { currencyExponents } from "@purser/core";
import type { Hono } from "hono";
import { html } from "hono/html";
import type { HttpEnv } from "../http/context.ts";
import { respondWithPage, needsScript, notice, organizationsLink } from "./layout.ts";

/** Where the bank redirects a person if the front end named no address of its own. */
export function bankLinkedPage(app: Hono<HttpEnv>): void {
  app.get("/banking/linked", (c) =>
    respondWithPage(c, { title: "Your bank", script: "bank-linked", body: linked }),
  );
}

const linked = html`<h1 id="heading" tabindex="-1">Your bank</h1>
  ${needsScript}
  <p class="soft" id="loading">One moment …</p>
  <section id="refused" hidden>
    <p>You did not give your consent. No account was connected.</p>
    <p>If you want to connect the bank, start again from your organization.</p>
  </section>
  <section id="pending" hidden>
    <p>
      You gave your consent, and the bank has yet to confirm it: another owner of the account may have to
      agree.
    </p>
    <p>You need not come back. The accounts are connected as soon as that has happened, within a week.</p>
  </section>
  <section id="failed" hidden>
    <p>Your bank reported an error. No account was connected.</p>
    <p>Connect the bank again from your organization in a moment.</p>
  </section>
  <section id="broken" hidden>
    <p>
      The link is incomplete. Go back to your bank's page, or connect the bank again from your organization.
    </p>
  </section>
  <section id="signed-out" hidden>
    <p>Your bank has confirmed your consent. Sign in to connect your accounts.</p>
    <a class="button" href="/sign-in" data-returns>Sign in</a>
  </section>
  <section id="offer" hidden>
    <p>Your bank has confirmed your consent. Connect your accounts, and we will keep them up to date.</p>
    <button type="button" id="connect">Connect the accounts</button>
  </section>
  <section id="connected" hidden>
    <p>These accounts are connected. Their transactions will appear in a moment.</p>
    <table class="stacked">
      <thead>
        <tr>
          <th scope="col">Account</th>
          <th scope="col">Balance</th>
        </tr>
      </thead>
      <tbody id="accounts" data-decimals="${JSON.stringify(currencyExponents)}"></tbody>
    </table>
  </section>
  ${notice} ${organizationsLink}`;
