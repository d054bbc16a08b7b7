import { type Problem, problemHeaders } from "@purser/core";
import { html } from "hono/html";
import type { HttpContext } from "../http/context.ts";
import { pageHeaders } from "../http/headers.ts";
import { type Markup, organizationsLink, respondWithPage } from "./layout.ts";

/** Renders a problem as a page for people. */
export function respondWithProblemPage(c: HttpContext, problem: Problem): Promise<Response> {
  const title = "This page cannot be shown";
  const body = html`<h1>${title}</h1>
    <p>${problem.message}</p>
    ${wayOn(c, problem)}
    <p class="hint">Request id: <code>${c.env.requestContext.requestId}</code></p>
    ${organizationsLink}`;
  const headers = { ...pageHeaders, ...problemHeaders(problem) };
  return respondWithPage(c, { title, body, status: problem.status, headers });
}

/** A link to what a person can do about a problem with the address that they have opened. */
function wayOn({ req }: HttpContext, { code, retryable }: Problem): Markup | "" {
  if (code === "UNAUTHENTICATED") {
    const { pathname, search } = new URL(req.url);
    const query = new URLSearchParams({ next: pathname + search }).toString();
    return html`<p><a class="button" href="/sign-in?${query}">Sign in</a></p>`;
  }
  return retryable ? html`<p><a class="button" href="">Try again</a></p>` : "";
}
