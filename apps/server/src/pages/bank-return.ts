import { completeLink } from "@purser/banking/link";
import { Problem } from "@purser/core";
import type { Hono } from "hono";
import { html } from "hono/html";
import { clientAddress } from "../http/client-address.ts";
import type { HttpEnv } from "../http/context.ts";
import { pageHeaders } from "../http/headers.ts";
import { reportedProblem } from "../http/problems.ts";
import { createRateLimitCheck } from "../http/rate-limit.ts";
import { respond } from "../http/response.ts";
import type { AppService } from "../service.ts";
import { organizationsLink, respondWithPage } from "./layout.ts";

/** Where a provider sends people after a consent page. Redirects to the front end that created the link. */
export function bankReturnPage(app: Hono<HttpEnv>, service: AppService): void {
  const { platform } = service;
  // The address needs no sign-in, and each visit may call the bank's provider.
  const checkRateLimit = createRateLimitCheck(service);
  const addressOf = clientAddress(platform.settings.trustedProxies);
  app.get("/banking/links/:id/return", async (c) => {
    await checkRateLimit(c);
    try {
      const query = new URL(c.req.url).searchParams;
      const target = await completeLink(platform, c.req.param("id"), query, addressOf(c));
      return respond(c, 303, null, { ...pageHeaders, Location: target });
    } catch (error) {
      if (error instanceof Problem && error.code === "LINK_NOT_FOUND") {
        return respondWithPage(c, { title: "This link has expired", body: ended, status: 404 });
      }
      if (error instanceof Problem && error.code === "RATE_LIMITED") throw error;
      reportedProblem(error, c.env.requestContext.requestId, platform.logger);
      return respondWithPage(c, { title: "Your bank did not respond", body: failed, status: 502 });
    }
  });
}

const ended = html`<h1>This link has expired</h1>
  <p>Links to a bank expire after a short time. Connect the bank again from your organization.</p>
  ${organizationsLink}`;

const failed = html`<h1>Your bank did not respond</h1>
  <p>No data is lost. Reload this page in a moment.</p>
  ${organizationsLink}`;
