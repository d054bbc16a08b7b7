import { Problem, cachedDateText } from "@purser/core";
import { mapLeaves } from "@purser/core/wire";
import { createContext } from "@purser/platform";
import { type Context, type RestRoute, isTrackedStream, restRoutes } from "@purser/router";
import type { AnyTRPCRouter } from "@trpc/server";
import type { Hono } from "hono";
import type { Authenticate } from "../http/authentication.ts";
import { prefersCsv } from "../http/accept.ts";
import { parseJson, readBytes, readJsonText } from "../http/body.ts";
import type { HttpContext, HttpEnv } from "../http/context.ts";
import { respondCompressed } from "../http/compression.ts";
import { respondWithStream, streamLimits } from "../http/event-stream.ts";
import { apiHeaders } from "../http/headers.ts";
import { idempotencyKeyOf } from "../http/idempotency-key.ts";
import { reportedProblem } from "../http/problems.ts";
import { jsonHeaders, respond, respondWithJson, respondWithProblem } from "../http/response.ts";
import type { AppService } from "../service.ts";
import { CsvLimits } from "./csv-limits.ts";
import { respondWithCsv } from "./csv.ts";
import { restFormat } from "./sse-formats.ts";

/** Serves every documented REST address. The steps follow the order of checks in the contract. */
export function mountRest(
  app: Hono<HttpEnv>,
  service: AppService,
  authenticate: Authenticate,
  router: AnyTRPCRouter,
): void {
  const { platform, metrics } = service;
  const routes = restRoutes(router);
  const limits = new CsvLimits();
  for (const route of routes) {
    app.on(route.method, pathsOf(route), async (c) => {
      c.env.requestContext.route = route.path;
      metrics.countCall(route.procedure, "rest");
      const text = route.method === "GET" ? null : await bodyOf(c, route);
      const authenticated = await authenticate(c);
      if (route.csv !== null && (c.req.path === csvPath(route) || prefersCsv(c.req.header("accept")))) {
        const query = queryOf(c);
        return respondWithCsv(c, { service, limits, route, columns: route.csv, authenticated, query });
      }
      const idempotencyKey = route.type === "mutation" ? idempotencyKeyOf(c, authenticated) : null;
      const ctx = createContext(platform, { ...authenticated, idempotencyKey });
      const output = await route.call(ctx, {
        params: c.req.param(),
        query: route.type === "subscription" ? withLastEventId(c, queryOf(c)) : queryOf(c),
        // The procedure reads the body after its access checks, so that 401 and 403 come before 400.
        readBody: () => parseJson(text),
      });
      if (isTrackedStream(output)) {
        const { requestId } = authenticated;
        const toProblem = (error: unknown) => reportedProblem(error, requestId, platform.logger);
        const format = restFormat(toProblem, requestId);
        return respondWithStream(c, output, { format, ...streamLimits(service) });
      }
      return responseOf(c, route, ctx, output);
    });
    // After the last method of the path: it matches every one that has no handler yet.
    if (routes.findLast(({ path }) => path === route.path) === route) refuseOtherMethods(app, route, routes);
  }
}

/** A link cannot ask for a media type, so a list that is also CSV has an address for that. */
const csvPath = ({ path }: RestRoute): string => `${path}.csv`;

const pathsOf = (route: RestRoute): string[] =>
  route.csv === null ? [route.path] : [route.path, csvPath(route)];

/** Refuses other methods of a fixed path. Otherwise `GET /api/cards/status` would be the card `status`. */
function refuseOtherMethods(app: Hono<HttpEnv>, { path }: RestRoute, routes: readonly RestRoute[]): void {
  if (path.includes(":")) return;
  const own = routes.filter((route) => route.path === path).map(({ method }) => method as string);
  const allowed = own.includes("GET") ? [...own, "HEAD"] : own;
  app.all(path, (c) =>
    respondWithProblem(c, new Problem("METHOD_NOT_ALLOWED"), { Allow: allowed.join(", ") }),
  );
}

/** The body of DELETE is ignored, but its size is limited too. */
async function bodyOf(c: HttpContext, { method }: RestRoute): Promise<string | null> {
  if (method !== "DELETE") return readJsonText(c);
  await readBytes(c, "requests");
  return null;
}

function queryOf({ req }: HttpContext): URLSearchParams | null {
  const start = req.url.indexOf("?");
  return start === -1 ? null : new URLSearchParams(req.url.slice(start));
}

/** A browser that reconnects sends the last id as a header, beside the one in the address that it began with. */
function withLastEventId({ req }: HttpContext, query: URLSearchParams | null): URLSearchParams | null {
  const id = req.header("last-event-id");
  if (!id) return query;
  const continued = new URLSearchParams(query ?? undefined);
  continued.set("lastEventId", id);
  return continued;
}

function responseOf(
  c: HttpContext,
  { status, type, csv, meta }: RestRoute,
  ctx: Context,
  output: unknown,
): Response {
  const headers: Record<string, string> = {};
  const vary = csv === null ? [] : ["Accept"];
  const { cacheSeconds } = meta.rest;
  if (cacheSeconds !== undefined) {
    // A response to a session may renew its cookie, which no shared cache may keep.
    headers["Cache-Control"] = `${ctx.caller === null ? "public" : "private"}, max-age=${cacheSeconds}`;
    // Only with a trusted origin it has the headers that let a front end read it.
    vary.push("Origin");
  }
  if (vary.length > 0) headers["Vary"] = vary.join(", ");
  if (ctx.response.replayed) headers["Idempotency-Replayed"] = "true";
  if (ctx.response.nextAfter !== null)
    headers["Link"] = nextLink(c, ctx.settings.baseUrl, ctx.response.nextAfter);
  if (status === 204) return respond(c, status, null, { ...apiHeaders, ...headers });
  // What a mutation returns may hold a secret, and is small.
  if (type === "mutation") return respondWithJson(c, status, output, headers);
  return respondCompressed(c, status, jsonOf(output), { ...jsonHeaders, ...headers });
}

/** JSON.stringify would spend half of a long list's time on its dates. */
const jsonOf = (output: unknown): string =>
  JSON.stringify(mapLeaves(output, (leaf) => (leaf instanceof Date ? cachedDateText(leaf) : leaf)));

/** The link to the next page of the same list. */
function nextLink({ req }: HttpContext, baseUrl: string, after: string): string {
  const next = new URL(req.url);
  next.searchParams.set("after", after);
  return `<${baseUrl}${next.pathname}${next.search}>; rel="next"`;
}
