import type { Hono } from "hono";
import { readBytes } from "../../http/body.ts";
import type { HttpContext, HttpEnv } from "../../http/context.ts";
import { formHeaders } from "../../http/headers.ts";
import { createRateLimitCheck } from "../../http/rate-limit.ts";
import { respond } from "../../http/response.ts";
import type { AppService } from "../../service.ts";
import { respondWithGuestPage } from "../guest-layout.ts";
import type { Markup } from "../layout.ts";
import { checkoutBody, closedPage } from "./checkout.ts";
import { type Returned, readCardForm } from "./form.ts";
import { portalBody } from "./portal.ts";

/** Loaded on first use, like the provider itself. */
const loadPages = () => import("@purser/billing/sandbox");

type Platform = AppService["platform"];

/**
 * The checkout and the customer portal of the built-in payment provider. They are plain forms and need no script. The
 * URL alone grants access.
 */
export function sandboxBillingRoutes(app: Hono<HttpEnv>, service: AppService): void {
  const { platform } = service;
  if (!platform.payments.configured.includes("local")) return;
  // The addresses need no sign-in, and each visit reads the database.
  const checkRateLimit = createRateLimitCheck(service);

  app.get("/local/checkout/:reference", async (c) => {
    await checkRateLimit(c);
    return showCheckout(c, platform);
  });
  app.post("/local/checkout/:reference", async (c) => {
    const form = await readForm(c);
    await checkRateLimit(c);
    const reference = c.req.param("reference");
    const pages = await loadPages();
    if (form.get("do") === "leave")
      return redirectTo(c, platform, await pages.leaveCheckout(platform, reference));
    const end = await pages.payCheckout(platform, reference, readCardForm(form));
    if (end === null || end.outcome === "paid") return redirectTo(c, platform, end?.location ?? null);
    return showCheckout(c, platform, { ...end, form });
  });

  app.get("/local/portal/:token", async (c) => {
    await checkRateLimit(c);
    return showPortal(c, platform);
  });
  app.post("/local/portal/:token", async (c) => {
    const form = await readForm(c);
    await checkRateLimit(c);
    const end = await actInPortal(platform, c.req.param("token"), form);
    if (end === null) return showClosed(c, platform);
    // Redirect to GET, so that a reload does not repeat the action.
    if (end.outcome === "done") return redirectTo(c, platform, new URL(c.req.url).pathname);
    return showPortal(c, platform, { ...end, form });
  });
}

async function actInPortal(platform: Platform, token: string, form: URLSearchParams) {
  const pages = await loadPages();
  switch (form.get("do")) {
    case "cancel":
      return pages.portalCancel(platform, token);
    case "resume":
      return pages.portalResume(platform, token);
    case "confirm":
      return pages.portalConfirm(platform, token);
    case "card":
      return pages.portalReplaceCard(platform, token, readCardForm(form));
    case "advance": {
      const to = new Date(form.get("to") ?? "");
      if (Number.isNaN(to.getTime()))
        return { outcome: "refused" as const, message: "Choose a date.", field: "to" };
      const end = await pages.portalAdvance(platform, token, to);
      return end && { ...end, field: "to" };
    }
    default:
      return { outcome: "refused" as const, message: "Choose an action." };
  }
}

async function readForm(c: HttpContext): Promise<URLSearchParams> {
  return new URLSearchParams(new TextDecoder().decode(await readBytes(c, "requests")));
}

async function showCheckout(c: HttpContext, platform: Platform, returned?: Returned): Promise<Response> {
  const { openCheckoutPage } = await loadPages();
  const page = await openCheckoutPage(platform, c.req.param("reference") ?? "");
  if (page === null || page.status === "expired") return showClosed(c, platform);
  if (page.status === "completed") return redirectTo(c, platform, page.returnUrl);
  return show(c, platform, {
    title: "Checkout",
    body: checkoutBody(page, returned),
    status: returned ? 400 : 200,
  });
}

async function showPortal(c: HttpContext, platform: Platform, returned?: Returned): Promise<Response> {
  const { openPortalPage } = await loadPages();
  const page = await openPortalPage(platform, c.req.param("token") ?? "");
  if (page === null) return showClosed(c, platform);
  return show(c, platform, {
    title: "Your subscription",
    body: portalBody(page, returned),
    status: returned ? 400 : 200,
  });
}

function redirectTo(
  c: HttpContext,
  platform: Platform,
  location: string | null,
): Response | Promise<Response> {
  if (location === null) return showClosed(c, platform);
  return respond(c, 303, null, { ...formHeaders(platform.settings), Location: location });
}

const showClosed = (c: HttpContext, platform: Platform) =>
  show(c, platform, { title: "This page is closed", body: closedPage, status: 404 });

function show(
  c: HttpContext,
  { settings }: Platform,
  page: { title: string; body: Markup; status: 200 | 400 | 404 },
): Promise<Response> {
  const looks = { host, hint: "A built-in provider. No real money.", looks: "sandbox-billing" } as const;
  // Screen readers read the title first.
  const title = `${page.status === 400 ? "Error: " : ""}${page.title} · ${host}`;
  return respondWithGuestPage(c, { ...page, title, ...looks, headers: formHeaders(settings) });
}

const host = "Local Pay";
