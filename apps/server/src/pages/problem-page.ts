import { type Problem, problemHeaders } from "@purser/core";
import { html } from "hono/html";
import type { HttpContext } from "../http/context.ts";
import { pageHeaders } from "../http/headers.ts";
import { organizationsLink, respondWithPage } from "./layout.ts";

/** Renders a problem as a page for people. */
export function respondWithProblemPage(c: HttpContext, problem: Problem): Promise<Response> {
  const title = "This page cannot be shown";
  const body = html`<h1>${title}</h1>
    <p>${problem.message}</p>
    <p class="hint">Request id: <code>${c.env.requestContext.requestId}</code></p>
    ${organizationsLink}`;
  const headers = { ...pageHeaders, ...problemHeaders(problem) };
  return respondWithPage(c, { title, body, status: problem.status, headers });
}
