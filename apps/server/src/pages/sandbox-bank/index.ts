import type { Hono } from "hono";
import { readBytes } from "../../http/body.ts";
import type { HttpContext, HttpEnv } from "../../http/context.ts";
import { formHeaders, pageHeaders } from "../../http/headers.ts";
import { respond } from "../../http/response.ts";
import type { Service } from "../../service.ts";
import { answerGuestPage } from "../guest-layout.ts";
import type { Markup } from "../layout.ts";
import { type Choice, readAnswer } from "./answer.ts";
import { consentForm, gone } from "./markup.ts";

/** Loaded on first use, like the bank itself. */
const loadBank = () => import("@purser/banking/sandbox");

type Parts = Pick<Service["platform"], "db" | "clock" | "settings">;

/** The consent page of a sandbox bank. It is a plain form and needs no script. */
export function sandboxBankPage(app: Hono<HttpEnv>, { platform }: Service): void {
  if (!platform.settings.sandbox) return;
  const path = "/sandbox/bank/:linkId";

  app.get(path, async (c) => show(c, platform));

  app.post(path, async (c) => {
    const bank = await loadBank();
    const linkId = c.req.param("linkId");
    const answer = readAnswer(new TextDecoder().decode(await readBytes(c)));
    if (answer.decision === "unclear") return show(c, platform, answer);
    const target = await (answer.decision === "refuse"
      ? bank.refuseLink(platform, linkId)
      : bank.approveLink(platform, linkId, answer.choice));
    if (target === null) return answerGone(c);
    return respond(c, 303, null, { ...formHeaders(platform.settings), Location: target });
  });
}

interface Rejected {
  complaint: string;
  choice: Choice;
}

async function show(c: HttpContext, platform: Parts, rejected?: Rejected): Promise<Response> {
  const { openConsentPage } = await loadBank();
  const page = await openConsentPage(platform, c.req.param("linkId") ?? "");
  if (page === null) return answerGone(c);
  const body = consentForm(page, rejected);
  return answerBankPage(c, {
    bank: page.institution.name,
    body,
    status: rejected ? 400 : 200,
    headers: formHeaders(platform.settings),
  });
}

const answerGone = (c: HttpContext) =>
  answerBankPage(c, { bank: "Sandbox", body: gone, status: 404, headers: pageHeaders });

interface BankPage {
  bank: string;
  body: Markup;
  status: 200 | 400 | 404;
  headers: Readonly<Record<string, string>>;
}

const answerBankPage = (c: HttpContext, { bank, ...page }: BankPage) =>
  answerGuestPage(c, { ...page, title: bank, host: bank, hint, looks: "sandbox-bank" });

const hint = "A sandbox bank. No real money.";
