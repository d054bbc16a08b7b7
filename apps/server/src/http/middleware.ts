import type { Logger } from "@purser/core";
import type { Hono } from "hono";
import type { Metrics } from "../operations/metrics.ts";
import type { Tracing } from "../tracing/port.ts";
import type { Cors } from "./cors.ts";
import type { HttpEnv, RequestContext } from "./context.ts";
import { requestIdOf } from "./request-id.ts";

interface Parts {
  logger: Logger;
  metrics: Metrics;
  /** Null where nobody looks at traces. */
  tracing?: Tracing | null;
  cors: Cors;
  /** Set on every answer. */
  headers: Readonly<Record<string, string>>;
  isDraining: () => boolean;
}

/**
 * What every request gets, whatever answers it: an id, its headers, a line in the log, a place in the metrics.
 * It stands around the app instead of in it: a request that no middleware waits for costs a tenth less.
 */
export function requestMiddleware(app: Hono<HttpEnv>, parts: Parts): Hono<HttpEnv>["fetch"] {
  const { logger, metrics, tracing = null, cors } = parts;
  const { fetch } = app;
  const serve = async (request: Request, bindings?: Partial<HttpEnv["Bindings"]>) => {
    const start = performance.now();
    const requestContext = createRequestContext(request, parts);
    const answered = metrics.requestAccepted();
    const answer = cors.preflight(request) ?? (await fetch(request, { ...bindings, requestContext }));
    answered();
    if (!requestContext.isComplete) addHeaders(answer.headers, requestContext.headers());
    const milliseconds = performance.now() - start;
    const { method } = request;
    const { requestId, userId, route = patternOf(app, request) } = requestContext;
    const { status } = answer;
    metrics.observeRequest(method, route, status, milliseconds / 1000);
    tracing?.describe(method, route, status);
    log(logger, { method, route, status, ms: Math.round(milliseconds * 10) / 10, requestId, userId });
    return answer;
  };
  if (tracing === null) return serve;
  return (request, bindings) => {
    if (quiet.has(app.getPath(request))) return serve(request, bindings);
    return tracing.request(request.headers, () => serve(request, bindings));
  };
}

function createRequestContext(
  { headers: given }: Request,
  { headers, cors, isDraining }: Parts,
): RequestContext {
  const requestId = requestIdOf(given.get("x-request-id"));
  const origin = given.get("origin");
  return {
    requestId,
    origin,
    headers: () => ({
      ...headers,
      "X-Request-Id": requestId,
      ...(origin !== null && cors.headersFor(origin)),
      // A client that keeps its connection open learns to take its next request elsewhere.
      ...(isDraining() && { Connection: "close" }),
    }),
    isComplete: false,
    route: undefined,
    userId: undefined,
  };
}

function addHeaders(headers: Headers, more: Record<string, string>): void {
  for (const [name, value] of Object.entries(more)) {
    // What the answer varies by already, it goes on to vary by.
    if (name === "Vary") headers.append(name, value);
    else headers.set(name, value);
  }
}

/** The pattern that matches. A path that matches nothing is named alike for all, or the metrics would never end. */
function patternOf(app: Hono<HttpEnv>, request: Request): string {
  const method = request.method === "HEAD" ? "GET" : request.method;
  const [matches] = app.router.match(method, app.getPath(request));
  return matches.at(-1)?.[0][1].path ?? "unmatched";
}

interface Line {
  method: string;
  route: string;
  status: number;
  ms: number;
  requestId: string;
  userId: string | undefined;
}

function log(logger: Logger, line: Line): void {
  if (line.status >= 500) logger.error(line, "request");
  // A probe asks every few seconds; only its failure is news.
  else if (quiet.has(line.route)) logger.debug(line, "request");
  else logger.info(line, "request");
}

const quiet = new Set(["/health/live", "/health/ready", "/metrics"]);
