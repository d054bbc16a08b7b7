import type { Hono } from "hono";
import { readBytes } from "../../http/body.ts";
import type { HttpContext, HttpEnv } from "../../http/context.ts";
import { formHeaders, pageHeaders } from "../../http/headers.ts";
import { createRateLimitCheck } from "../../http/rate-limit.ts";
import { respond } from "../../http/response.ts";
import type { AppService } from "../../service.ts";
import { respondWithGuestPage } from "../guest-layout.ts";
import type { Markup } from "../layout.ts";
import { type Choice, readConsentForm } from "./consent-choice.ts";
import { consentForm, gone } from "./markup.ts";

/** Loaded on first use, like the bank itself. */
const loadBank = () => import("@purser/banking/sandbox");

type Parts = Pick<AppService["platform"], "db" | "clock" | "settings">;

/** The consent page of a sandbox bank. It is a plain form and needs no script. */
export function sandboxBankPage(app: Hono<HttpEnv>, service: AppService): void {
  const { platform } = service;
  if (!platform.settings.sandbox) return;
  const path = "/sandbox/bank/:linkId";
  // The address needs no sign-in, and each visit reads the database.
  const checkRateLimit = createRateLimitCheck(service);

  app.get(path, async (c) => {
    await checkRateLimit(c);
    return show(c, platform);
  });

  app.post(path, async (c) => {
    const form = readConsentForm(new TextDecoder().decode(await readBytes(c, "requests")));
    await checkRateLimit(c);
    const bank = await loadBank();
    const linkId = c.req.param("linkId");
    if (form.decision === "invalid") return show(c, platform, form);
    const target = await (form.decision === "refuse"
      ? bank.refuseLink(platform, linkId)
      : bank.approveLink(platform, linkId, form.choice));
    if (target === null) return respondClosed(c);
    return respond(c, 303, null, { ...formHeaders(platform.settings), Location: target });
  });
}

interface Rejected {
  error: string;
  choice: Choice;
}

async function show(c: HttpContext, platform: Parts, rejected?: Rejected): Promise<Response> {
  const { openConsentPage } = await loadBank();
  const page = await openConsentPage(platform, c.req.param("linkId") ?? "");
  if (page === null) return respondClosed(c);
  const body = consentForm(page, rejected);
  return respondWithBankPage(c, {
    bank: page.institution.name,
    body,
    status: rejected ? 400 : 200,
    headers: formHeaders(platform.settings),
  });
}

const respondClosed = (c: HttpContext) =>
  respondWithBankPage(c, { bank: "Sandbox", body: gone, status: 404, headers: pageHeaders });

interface BankPage {
  bank: string;
  body: Markup;
  status: 200 | 400 | 404;
  headers: Readonly<Record<string, string>>;
}

const respondWithBankPage = (c: HttpContext, { bank, ...page }: BankPage) =>
  respondWithGuestPage(c, { ...page, title: bank, host: bank, hint, looks: "sandbox-bank" });

const hint = "A sandbox bank. No real money.";
