import { randomBytes } from "node:crypto";
import type { Hono, MiddlewareHandler } from "hono";
import { html } from "hono/html";
import type { ConsoleFiles, ConsoleState } from "../console/index.ts";
import { encodingFor } from "../http/compression.ts";
import type { HttpContext, HttpEnv } from "../http/context.ts";
import { pageHeaders } from "../http/headers.ts";
import { respond } from "../http/response.ts";
import type { AppService } from "../service.ts";
import { respondWithPage } from "./layout.ts";

/** The addresses of the console. Its own router distinguishes the pages under them. */
const pages = ["/welcome", "/:organization{org_[^/]+}", "/:organization{org_[^/]+}/*"];
/** Addresses that guests have pages at as well, which work without a script. */
const pagesOfUsers = ["/", "/account", "/account/*"];

/** Serves the console at its addresses, and its files under `/console`. */
export function consolePages(app: Hono<HttpEnv>, { webConsole, hasSandbox }: ConsoleOptions): void {
  if (webConsole === null) return;
  const serve = async (c: HttpContext) => respondWithConsole(c, webConsole(), hasSandbox);
  for (const path of pages) app.get(path, serve);
  const unlessGuest: MiddlewareHandler<HttpEnv> = (c, next) => (hasSession(c) ? serve(c) : next());
  for (const path of pagesOfUsers) app.get(path, unlessGuest);
  app.get("/console/*", async (c, next) => {
    const state = webConsole();
    return typeof state === "string" ? next() : (respondWithAsset(c, state) ?? next());
  });
}

interface ConsoleOptions {
  /** Null where the process serves no console. */
  webConsole: (() => ConsoleState) | null;
  hasSandbox: boolean;
}

/** What the page of the console needs of the service. */
export const consoleOptions = ({ webConsole = null, platform }: AppService): ConsoleOptions => ({
  webConsole,
  hasSandbox: !platform.settings.production,
});

/** Whether the browser has been signed in. The console asks the API whether it still is, and otherwise leads to sign-in. */
const hasSession = ({ req }: HttpContext): boolean =>
  /(^|[\s.;])session_token=/.test(req.header("cookie") ?? "");

async function respondWithConsole(
  c: HttpContext,
  state: ConsoleState,
  hasSandbox: boolean,
): Promise<Response> {
  if (typeof state === "string") return respondWithState(c, state);
  // In each response another: the policy lets in the styles that the console writes by this number, and no others.
  const nonce = randomBytes(16).toString("base64");
  const metas = `<meta name="style-nonce" content="${nonce}" />${hasSandbox ? '<meta name="sandbox" content="on" />' : ""}`;
  const policy = pageHeaders["Content-Security-Policy"] ?? "";
  return respond(c, 200, state.page.replace("</head>", `${metas}</head>`), {
    ...pageHeaders,
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": policy
      .replace("style-src 'self'", `style-src 'self' 'nonce-${nonce}'`)
      // Pictures of people and logos of banks are at addresses of others. Those do not learn who looks: the referrer stays here.
      .replace("img-src 'self' data:", "img-src 'self' data: https:"),
  });
}

/** The names contain a hash of the content, so browsers keep the files for a year. */
function respondWithAsset(c: HttpContext, { assets }: ConsoleFiles): Response | null {
  const asset = assets.get(c.req.path);
  if (asset === undefined) return null;
  const encoding = encodingFor(c, ["br", "gzip"]);
  const read = encoding === "br" || encoding === "gzip" ? asset.read[encoding] : undefined;
  return respond(c, 200, (read ?? asset.read.identity)(), {
    ...pageHeaders,
    "Content-Type": asset.type,
    "Cache-Control": "public, max-age=31536000, immutable",
    Vary: "Accept-Encoding",
    ...(read && encoding && { "Content-Encoding": encoding }),
  });
}

const explanations = {
  building: {
    title: "The console is being built",
    body: html`<h1>The console is being built</h1>
      <p>It takes a few seconds after its sources changed. This page loads it as soon as it is ready.</p>`,
  },
  failed: {
    title: "The console could not be built",
    body: html`<h1>The console could not be built</h1>
      <p>The terminal that runs the service shows the error. Fix it, then restart the service.</p>`,
  },
  "not built": {
    title: "The console is not built",
    body: html`<h1>The console is not built</h1>
      <p>
        Run <code>pnpm build</code>, then start the service again. The <a href="/docs">API</a> works without
        it.
      </p>`,
  },
};

function respondWithState(c: HttpContext, state: keyof typeof explanations): Promise<Response> {
  const isBuilding = state === "building";
  return respondWithPage(c, {
    ...explanations[state],
    status: 503,
    headers: { ...pageHeaders, "Retry-After": "1", ...(isBuilding && { Refresh: "1" }) },
  });
}
