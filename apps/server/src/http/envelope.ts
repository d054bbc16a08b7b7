import type { Logger } from "@purser/router";
import { createMiddleware } from "hono/factory";
import { routePath } from "hono/route";
import type { Metrics } from "../operations/metrics.ts";
import type { Door, DoorContext } from "./door.ts";
import { requestIdOf } from "./request-id.ts";

interface Parts {
  logger: Logger;
  metrics: Metrics;
  /** Set on every answer. */
  headers: Readonly<Record<string, string>>;
  isDraining: () => boolean;
}

/** What every request gets, whatever answers it: an id, its headers, a line in the log, a place in the metrics. */
export function envelope({ logger, metrics, headers, isDraining }: Parts) {
  const headersOf = (c: DoorContext) => ({
    ...headers,
    "X-Request-Id": c.get("requestId"),
    // A client that keeps its connection open learns to take its next request elsewhere.
    ...(isDraining() && { Connection: "close" }),
  });
  return createMiddleware<Door>(async (c, next) => {
    const start = performance.now();
    const requestId = requestIdOf(c.req.header("x-request-id"));
    c.set("requestId", requestId);
    c.set("envelope", { headersOf });
    const answered = metrics.requestAccepted();
    await next();
    answered();
    if (!c.get("isComplete")) {
      for (const [name, value] of Object.entries(headersOf(c))) c.res.headers.set(name, value);
    }
    const milliseconds = performance.now() - start;
    const facts = { method: c.req.method, route: routeOf(c), status: c.res.status };
    metrics.observeRequest(facts.method, facts.route, facts.status, milliseconds / 1000);
    log(logger, { ...facts, ms: Math.round(milliseconds * 10) / 10, requestId, userId: c.get("userId") });
  });
}

/** The pattern that matched. A path that matched nothing is named alike for all, or the metrics would never end. */
function routeOf(c: DoorContext): string {
  return (
    c.get("route") ?? (c.res.status === 405 ? "unmatched" : routePath(c, -1).replace(/^\/?\*$/, "unmatched"))
  );
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
