import { html } from "hono/html";
import type { HttpContext } from "../http/context.ts";
import { respondWithPage } from "./layout.ts";

/**
 * Whether a browser asks for a page. The addresses of the API answer with JSON, also to a browser. Those of CSV files are in
 * links, which people follow.
 */
export function wantsPage({ req }: HttpContext): boolean {
  const isPage = !/^\/(api|trpc)\//.test(req.path) || req.path.endsWith(".csv");
  const isRead = req.method === "GET" || req.method === "HEAD";
  return isPage && isRead && (req.header("accept") ?? "").includes("text/html");
}

export function respondWithNotFoundPage(c: HttpContext): Promise<Response> {
  return respondWithPage(c, { title: "Page not found", body: notFound, status: 404 });
}

const notFound = html`<h1>Page not found</h1>
  <p>There is nothing at this address. Check it for a typing mistake.</p>
  <p class="below"><a href="/">Go to the start page</a> · <a href="/docs">API reference</a></p>`;
