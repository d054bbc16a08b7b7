import { sandboxConsentPage } from "@purser/router";
import type { Hono } from "hono";
import { html } from "hono/html";
import { answer } from "../http/answer.ts";
import { readBytes } from "../http/body.ts";
import type { Door, DoorContext } from "../http/door.ts";
import { pageHeaders } from "../http/headers.ts";
import type { Service } from "../service.ts";
import type { Markup } from "./layout.ts";
import { type Choice, readAnswer } from "./sandbox-bank/answer.ts";
import { consentForm, gone } from "./sandbox-bank/markup.ts";

type Parts = Pick<Service["platform"], "db" | "clock" | "settings">;

/**
 * The page of a bank of the sandbox, on which its customer gives a consent or refuses it. It is a form and nothing
 * else, so it works without a script.
 */
export function sandboxBankPage(app: Hono<Door>, { platform }: Service): void {
  if (!platform.settings.sandbox) return;
  const path = "/sandbox/bank/:linkId";

  app.get(path, async (c) => show(c, platform));

  app.post(path, async (c) => {
    const bank = await sandboxConsentPage();
    const linkId = c.req.param("linkId");
    const given = readAnswer(new TextDecoder().decode(await readBytes(c)));
    if (given.decision === "unclear") return show(c, platform, given);
    const target = await (given.decision === "refuse"
      ? bank.refuseLink(platform, linkId)
      : bank.approveLink(platform, linkId, given.choice));
    if (target === null) return answerGone(c);
    return answer(c, 303, null, { ...headersOf(platform), Location: target });
  });
}

interface Given {
  complaint: string;
  choice: Choice;
}

async function show(c: DoorContext, platform: Parts, given?: Given): Promise<Response> {
  const { openConsentPage } = await sandboxConsentPage();
  const page = await openConsentPage(platform, c.req.param("linkId") ?? "");
  if (page === null) return answerGone(c);
  const body = consentForm(page, given);
  return answerBankPage(c, {
    bank: page.institution.name,
    body,
    status: given ? 400 : 200,
    headers: headersOf(platform),
  });
}

const answerGone = (c: DoorContext) =>
  answerBankPage(c, { bank: "Sandbox", body: gone, status: 404, headers: pageHeaders });

/**
 * Browsers hold a form against every hop of the redirect that answers it, and the last one may lead to the front
 * end that sent the person here.
 */
function headersOf({ settings }: Parts): Record<string, string> {
  const policy = pageHeaders["Content-Security-Policy"] ?? "";
  const targets = ["'self'", ...settings.trustedOrigins].join(" ");
  return {
    ...pageHeaders,
    "Content-Security-Policy": policy.replace("form-action 'self'", `form-action ${targets}`),
  };
}

interface BankPage {
  bank: string;
  body: Markup;
  status: 200 | 400 | 404;
  headers: Readonly<Record<string, string>>;
}

/** A page in the looks of the bank, which are not ours: people are meant to notice where they are. */
async function answerBankPage(c: DoorContext, { bank, body, status, headers }: BankPage): Promise<Response> {
  const markup = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${bank}</title>
        <link rel="icon" href="/assets/sandbox-bank.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/assets/sandbox-bank.css" />
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header>
          <span class="brand"
            ><img src="/assets/sandbox-bank.svg" alt="" width="32" height="32" /> ${bank}</span
          >
          <span class="hint">A bank of the sandbox: no real money</span>
        </header>
        <main id="main">${body}</main>
      </body>
    </html>`;
  return answer(c, status, String(await markup), { ...headers, "Content-Type": "text/html; charset=utf-8" });
}
