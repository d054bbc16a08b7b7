import { isCheckoutCompleted, resolveCheckoutReturn } from "@purser/billing";
import { Problem } from "@purser/core";
import type { Hono } from "hono";
import { html } from "hono/html";
import type { HttpContext, HttpEnv } from "../http/context.ts";
import { pageHeaders } from "../http/headers.ts";
import { reportedProblem } from "../http/problems.ts";
import { createRateLimitCheck } from "../http/rate-limit.ts";
import { respond } from "../http/response.ts";
import type { AppService } from "../service.ts";
import { organizationsLink, respondWithPage } from "./layout.ts";

/** Where a payment page sends people, paid or not. Redirects to the front end that created the checkout. */
export function billingReturnPages(app: Hono<HttpEnv>, service: AppService): void {
  const { platform } = service;
  // The address needs no sign-in, and each visit may call the payment provider.
  const checkRateLimit = createRateLimitCheck(service);
  const respondOrExplain = async (c: HttpContext, answer: () => Promise<Response>) => {
    await checkRateLimit(c);
    try {
      return await answer();
    } catch (error) {
      if (error instanceof Problem && error.code === "CHECKOUT_NOT_FOUND")
        return respondWithPage(c, { title: "This checkout is closed", body: ended, status: 404 });
      reportedProblem(error, c.env.requestContext.requestId, platform.logger);
      return respondWithPage(c, { title: "One moment", body: failed, status: 502 });
    }
  };

  app.get("/billing/checkouts/:id/return", (c) =>
    respondOrExplain(c, async () => {
      const target = await resolveCheckoutReturn(platform, c.req.param("id"));
      return respond(c, 303, null, { ...pageHeaders, Location: target });
    }),
  );

  // Where the redirect ends if the front end named no address of its own.
  app.get("/billing/done", (c) =>
    respondOrExplain(c, async () => {
      // Anyone can write `checkout=completed` into the address, so only the stored checkout counts.
      const id = c.req.query("checkoutId") ?? "";
      if (await isCheckoutCompleted(platform, id))
        return respondWithPage(c, { title: "Thank you", body: paid });
      const again = `/billing/checkouts/${id}/return`;
      return respondWithPage(c, { title: "Not paid yet", body: unpaid(again) });
    }),
  );
}

const ended = html`<h1>This checkout is closed</h1>
  <p>
    This checkout has expired, or its link is incomplete. The billing of your organization shows whether it
    has a subscription.
  </p>
  ${organizationsLink}`;

const failed = html`<h1>One moment</h1>
  <p>We could not look up your checkout. No payment is lost. Reload this page in a moment.</p>
  ${organizationsLink}`;

const paid = html`<h1>Thank you</h1>
  <p>Your subscription has started.</p>
  ${organizationsLink}`;

const unpaid = (again: string) =>
  html`<h1>Not paid yet</h1>
    <p>There is no payment yet, or it is still being confirmed.</p>
    <a class="button" href="${again}">Check again</a>
    ${organizationsLink}`;
