import { completeLink } from "@purser/banking/link";
import { Problem } from "@purser/core";
import type { Hono } from "hono";
import { html } from "hono/html";
import type { HttpEnv } from "../http/context.ts";
import { pageHeaders } from "../http/headers.ts";
import { reportedProblem } from "../http/problems.ts";
import { createRateLimitCheck } from "../http/rate-limit.ts";
import { respond } from "../http/response.ts";
import type { Service } from "../service.ts";
import { answerPage } from "./layout.ts";

/** Where a provider sends people after a consent page. Redirects to the front end that created the link. */
export function bankReturnPage(app: Hono<HttpEnv>, service: Service): void {
  const { platform } = service;
  // The address needs no sign-in, and each visit may call the bank's provider.
  const checkRateLimit = createRateLimitCheck(service);
  app.get("/banking/links/:id/return", async (c) => {
    await checkRateLimit(c);
    try {
      const target = await completeLink(platform, c.req.param("id"), new URL(c.req.url).searchParams);
      return respond(c, 303, null, { ...pageHeaders, Location: target });
    } catch (error) {
      if (error instanceof Problem && error.code === "LINK_NOT_FOUND") {
        return answerPage(c, { title: "This link has ended", body: ended, status: 404 });
      }
      reportedProblem(error, c.env.requestContext.requestId, platform.logger);
      return answerPage(c, { title: "The bank did not answer", body: failed, status: 502 });
    }
  });
}

const ended = html`<h1>This link has ended</h1>
  <p>A link to a bank expires after a short time. Go back to where you came from and request a new one.</p>`;

const failed = html`<h1>The bank did not answer</h1>
  <p>Nothing is lost. Reload this page in a moment.</p>`;
