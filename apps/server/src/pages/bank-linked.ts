import type { Hono } from "hono";
import { html } from "hono/html";
import type { HttpEnv } from "../http/context.ts";
import { answerPage, needsScript, notice } from "./layout.ts";

/** Where people come from their bank when the front end names no place of its own. */
export function bankLinkedPage(app: Hono<HttpEnv>): void {
  app.get("/banking/linked", (c) =>
    answerPage(c, { title: "Your bank", script: "bank-linked", body: linked }),
  );
}

const linked = html`<h1 id="heading" tabindex="-1">Your bank</h1>
  ${needsScript}
  <p class="soft" id="loading">One moment …</p>
  <section id="refused" hidden>
    <p>The bank gave no consent. Nothing was connected, and nothing was changed.</p>
    <p>Should you have meant to give it, ask for a new link.</p>
  </section>
  <section id="broken" hidden>
    <p>The link is not whole. Go back to your bank's page, or ask for a new link.</p>
  </section>
  <section id="signed-out" hidden>
    <p>The bank gave its consent. Sign in to connect its accounts.</p>
    <a class="button" href="/sign-in" data-returns>Sign in</a>
  </section>
  <section id="offer" hidden>
    <p>The bank gave its consent. Connect its accounts, and they are kept up to date from now on.</p>
    <button type="button" id="connect">Connect the accounts</button>
  </section>
  <section id="connected" hidden>
    <p>These accounts are connected. Their transactions follow in a moment.</p>
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">Account</th>
            <th scope="col">Balance</th>
          </tr>
        </thead>
        <tbody id="accounts"></tbody>
      </table>
    </div>
  </section>
  ${notice}`;
