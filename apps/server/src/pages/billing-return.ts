import { Problem } from "@purser/core";
import { resolveCheckoutReturn } from "@purser/billing";
import type { Hono } from "hono";
import { html } from "hono/html";
import { respond } from "../http/response.ts";
import type { HttpEnv } from "../http/context.ts";
import { pageHeaders } from "../http/headers.ts";
import { createRateLimitCheck } from "../http/rate-limit.ts";
import { reportedProblem } from "../http/problems.ts";
import type { Service } from "../service.ts";
import { answerPage } from "./layout.ts";

/** Where a payment page sends people, paid or not: on to the front end that sent them there. */
export function billingReturnPage(app: Hono<HttpEnv>, service: Service): void {
  const { platform } = service;
  // Each visit may ask the provider, and whoever knows the address can come.
  const checkRateLimit = createRateLimitCheck(service);
  app.get("/billing/checkouts/:id/return", async (c) => {
    await checkRateLimit(c);
    try {
      const target = await resolveCheckoutReturn(platform, c.req.param("id"));
      return respond(c, 303, null, { ...pageHeaders, Location: target });
    } catch (error) {
      if (error instanceof Problem && error.code === "CHECKOUT_NOT_FOUND")
        return answerPage(c, { title: "This checkout is over", body: ended, status: 404 });
      reportedProblem(error, c.env.requestContext.requestId, platform.logger);
      return answerPage(c, { title: "One moment", body: failed, status: 502 });
    }
  });
}

const ended = html`<h1>This checkout is over</h1>
  <p>There is no such checkout. Go back to where you came from, and begin again.</p>`;

const failed = html`<h1>One moment</h1>
  <p>
    What has become of the checkout could not be looked up. Nothing is lost: load this page again in a moment.
  </p>`;
