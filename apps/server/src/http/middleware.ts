import type { Logger } from "@purser/core";
import type { Hono } from "hono";
import type { AppService } from "../service.ts";
import type { BodyBudget } from "./body-budget.ts";
import type { HttpEnv, RequestContext } from "./context.ts";
import type { Cors } from "./cors.ts";
import { ReceivedHeaders } from "./received-headers.ts";
import { requestIdOf } from "./request-id.ts";
import type { RequestLine } from "./request-line.ts";

interface Parts extends Pick<AppService, "metrics" | "tracing" | "isDraining" | "logRequest"> {
  logger: Logger;
  cors: Cors;
  /** Set on every response. */
  headers: Readonly<Record<string, string>>;
  bodies: BodyBudget;
}

/**
 * Adds to every request an id, response headers, CORS, a log line, metrics and a trace. It wraps `app.fetch`, because a
 * middleware in Hono's chain costs a tenth of a small request (docs/decisions/0019).
 */
export function requestMiddleware(app: Hono<HttpEnv>, parts: Parts): Hono<HttpEnv>["fetch"] {
  const { logger, metrics, tracing = null, cors } = parts;
  const { logRequest = (line: RequestLine) => logger.info(line, "request") } = parts;
  const { fetch } = app;
  const serve = async (request: Request, bindings?: Partial<HttpEnv["Bindings"]>) => {
    const start = performance.now();
    const requestContext = createRequestContext(new ReceivedHeaders(request, bindings?.incoming), parts);
    const finished = metrics.requestAccepted();
    let response: Response;
    try {
      response = cors.preflight(request) ?? (await fetch(request, { ...bindings, requestContext }));
    } finally {
      finished();
      requestContext.bodyLease?.release();
    }
    if (!requestContext.isComplete) addHeaders(response.headers, requestContext.headers());
    const milliseconds = performance.now() - start;
    const { method } = request;
    const { requestId, caller, route = patternOf(app, request) } = requestContext;
    const { status } = response;
    const known = methods.has(method) ? method : "_OTHER";
    metrics.observeRequest(known, route, status, milliseconds / 1000);
    tracing?.describe(known, route, status);
    const line = { method, route, status, ms: Math.round(milliseconds * 10) / 10, requestId, ...caller };
    if (status >= 500) logger.error(line, "request");
    // Probes come every few seconds, so only their failures are logged at info.
    else if (probeRoutes.has(route)) logger.debug(line, "request");
    else logRequest(line);
    return response;
  };
  if (tracing === null) return serve;
  return (request, bindings) => {
    if (probeRoutes.has(app.getPath(request))) return serve(request, bindings);
    return tracing.request(request.headers, () => serve(request, bindings));
  };
}

/** Methods with their own metric label. Clients can send any method, so all others share OpenTelemetry's `_OTHER`. */
const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

function createRequestContext(
  receivedHeaders: ReceivedHeaders,
  { headers, cors, isDraining, bodies }: Parts,
): RequestContext {
  const requestId = requestIdOf(receivedHeaders.get("x-request-id"));
  const origin = receivedHeaders.get("origin");
  return {
    requestId,
    receivedHeaders,
    origin,
    headers: () => ({
      ...headers,
      "X-Request-Id": requestId,
      ...(origin !== null && cors.headersFor(origin)),
      // A client with a kept-alive connection must open a new one, to another process.
      ...(isDraining() && { Connection: "close" }),
    }),
    isComplete: false,
    route: undefined,
    caller: undefined,
    bodies,
    bodyLease: undefined,
  };
}

function addHeaders(headers: Headers, more: Record<string, string>): void {
  for (const [name, value] of Object.entries(more)) {
    // Keep what the response already varies by.
    if (name === "Vary") headers.append(name, value);
    else headers.set(name, value);
  }
}

/** Returns the matching pattern, or "unmatched" for all unknown paths, which keeps the metric's labels few. */
function patternOf(app: Hono<HttpEnv>, request: Request): string {
  const method = request.method === "HEAD" ? "GET" : request.method;
  const [matches] = app.router.match(method, app.getPath(request));
  return matches.at(-1)?.[0][1].path ?? "unmatched";
}

const probeRoutes = new Set(["/health/live", "/health/ready", "/metrics"]);
