import { Problem } from "@purser/core";
import { type Context, type RestRoute, restRoutes } from "@purser/router";
import { createContext } from "@purser/platform";
import type { AnyTRPCRouter } from "@trpc/server";
import type { Hono } from "hono";
import type { Authenticate } from "../http/authentication.ts";
import { respond, answerJson, answerProblem } from "../http/response.ts";
import { parseJson, readBytes, readJsonText } from "../http/body.ts";
import type { HttpEnv, HttpContext } from "../http/context.ts";
import { apiHeaders } from "../http/headers.ts";
import { idempotencyKeyOf } from "../http/idempotency-key.ts";
import type { Service } from "../service.ts";

/** Serves every documented REST address. The steps of an answer stand in the order of the contract's checks. */
export function mountRest(
  app: Hono<HttpEnv>,
  service: Service,
  authenticate: Authenticate,
  router: AnyTRPCRouter,
): void {
  const { platform, metrics } = service;
  const routes = restRoutes(router);
  for (const route of routes) {
    app.on(route.method, route.path, async (c) => {
      c.env.requestContext.route = route.path;
      metrics.countCall(route.procedure, "rest");
      const text = route.method === "GET" ? null : await bodyOf(c, route);
      const facts = await authenticate(c);
      const idempotencyKey = route.type === "mutation" ? idempotencyKeyOf(c, facts) : null;
      const ctx = createContext(platform, { ...facts, idempotencyKey });
      const output = await route.call(ctx, {
        params: c.req.param(),
        query: queryOf(c),
        // Read by the procedure, after it has seen who calls: 401 and 403 come before 400.
        readBody: () => parseJson(text),
      });
      return answerOf(c, route, ctx, output);
    });
    refuseOtherMethods(app, route, routes);
  }
}

/** A word in the path is never taken for somebody's parameter: `GET /api/cards/status` is not the card `status`. */
function refuseOtherMethods(app: Hono<HttpEnv>, { path }: RestRoute, routes: readonly RestRoute[]): void {
  if (path.includes(":")) return;
  const own = routes.filter((route) => route.path === path).map(({ method }) => method as string);
  const allowed = own.includes("GET") ? [...own, "HEAD"] : own;
  const others = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].filter(
    (method) => !own.includes(method),
  );
  app.on(others, path, (c) =>
    answerProblem(c, new Problem("METHOD_NOT_ALLOWED"), { Allow: allowed.join(", ") }),
  );
}

/** The body of DELETE means nothing, whatever its type, but may not be endless either. */
async function bodyOf(c: HttpContext, { method }: RestRoute): Promise<string | null> {
  if (method !== "DELETE") return readJsonText(c);
  await readBytes(c);
  return null;
}

function queryOf({ req }: HttpContext): URLSearchParams | null {
  const start = req.url.indexOf("?");
  return start === -1 ? null : new URLSearchParams(req.url.slice(start));
}

function answerOf(c: HttpContext, { status }: RestRoute, ctx: Context, output: unknown): Response {
  const headers: Record<string, string> = {};
  if (ctx.response.replayed) headers["Idempotency-Replayed"] = "true";
  if (ctx.response.nextAfter !== null)
    headers["Link"] = nextLink(c, ctx.settings.baseUrl, ctx.response.nextAfter);
  if (status === 204) return respond(c, status, null, { ...apiHeaders, ...headers });
  return answerJson(c, status, output, headers);
}

/** The same list, from after its last item on. */
function nextLink({ req }: HttpContext, baseUrl: string, after: string): string {
  const next = new URL(req.url);
  next.searchParams.set("after", after);
  return `<${baseUrl}${next.pathname}${next.search}>; rel="next"`;
}
