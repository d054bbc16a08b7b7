import type { DevelopmentMailbox, StoredMail } from "@purser/platform/mail";
import type { Hono } from "hono";
import { html } from "hono/html";
import type { HttpEnv } from "../http/context.ts";
import { type Markup, respondWithPage } from "./layout.ts";

/** Shows the mail of a development service, which is stored instead of sent, newest first. */
export function mailboxPages(app: Hono<HttpEnv>, mailbox: DevelopmentMailbox): void {
  app.get("/dev/mail", async (c) => {
    const mails = await mailbox.list();
    return respondWithPage(c, {
      title: "Mailbox",
      width: "wide",
      isSecret: true,
      body: mails.length === 0 ? empty : listOf(mails),
    });
  });
  app.get("/dev/mail/:id", async (c) => {
    const mail = await mailbox.read(c.req.param("id"));
    if (mail === null) return respondWithPage(c, { title: "No such mail", body: missing, status: 404 });
    return respondWithPage(c, {
      title: mail.subject,
      width: "wide",
      body: mailOf(mail),
      // Mails contain links that grant access.
      isSecret: true,
    });
  });
}

const empty = html`<h1>Mailbox</h1>
  <p class="soft">No mail yet. Without SMTP_URL, the service delivers its mail here.</p>`;

const missing = html`<h1>No such mail</h1>
  <p>The mailbox keeps only the newest mails. <a href="/dev/mail">All mails</a></p>`;

function listOf(mails: StoredMail[]): Markup {
  return html`<h1>Mailbox</h1>
    <p class="soft">These mails were not sent, because SMTP_URL is not set. Newest first.</p>
    <table class="stacked">
      <thead>
        <tr>
          <th scope="col">Subject</th>
          <th scope="col">To</th>
          <th scope="col">Sent</th>
        </tr>
      </thead>
      <tbody>
        ${mails.map(
          ({ id, subject, to, sentAt }) =>
            html`<tr>
              <td><a href="/dev/mail/${id}">${subject}</a></td>
              <td data-label="To">${to}</td>
              <td data-label="Sent"><time datetime="${sentAt}">${readable(sentAt)}</time></td>
            </tr>`,
        )}
      </tbody>
    </table>`;
}

function mailOf({ subject, to, sentAt, text }: StoredMail): Markup {
  return html`<p><a href="/dev/mail">All mails</a></p>
    <h1>${subject}</h1>
    <dl>
      <dt>To</dt>
      <dd>${to}</dd>
      <dt>Sent</dt>
      <dd><time datetime="${sentAt}">${readable(sentAt)}</time></dd>
    </dl>
    <pre class="mail">${withLinks(text)}</pre>`;
}

const readable = (sentAt: string) => `${sentAt.slice(0, 19).replace("T", " ")} UTC`;

/** Makes the http URLs in a text clickable. `html` escapes both text and URLs. */
function withLinks(text: string): Markup[] {
  const parts = text.split(/(https?:\/\/[^\s<>"]+)/);
  return parts.map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : html`${part}`));
}
