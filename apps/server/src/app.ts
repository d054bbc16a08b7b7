import { Problem } from "@purser/core";
import { compileProcedures, routerOf, wrapProcedures } from "@purser/router";
import type { AnyTRPCRouter } from "@trpc/server";
import { Hono } from "hono";
import { methodNotAllowed } from "hono/method-not-allowed";
import { createAuthenticate } from "./http/authentication.ts";
import { BodyBudget } from "./http/body-budget.ts";
import type { HttpContext, HttpEnv } from "./http/context.ts";
import { trustedCors } from "./http/cors.ts";
import { transportHeaders } from "./http/headers.ts";
import { requestMiddleware } from "./http/middleware.ts";
import { reportedProblem } from "./http/problems.ts";
import { respondWithProblem } from "./http/response.ts";
import { WordsFirstRouter } from "./http/router.ts";
import { mountHealth } from "./operations/health.ts";
import { mountMetrics } from "./operations/metrics-endpoint.ts";
import { mountPages } from "./pages/index.ts";
import { respondWithNotFoundPage, wantsPage } from "./pages/not-found.ts";
import { respondWithProblemPage } from "./pages/problem-page.ts";
import type { AppService } from "./service.ts";
import type { Tracing } from "./tracing/port.ts";
import { mountAuth } from "./transports/auth.ts";
import { mountRest } from "./transports/rest.ts";
import { mountTrpc } from "./transports/trpc.ts";
import { mountWebhooks } from "./transports/webhooks.ts";

/**
 * Creates the HTTP app with every address it serves. An unmatched request gets a JSON 404 or 405. A process with the role
 * `worker` serves only health and metrics.
 */
export function createApp(
  service: AppService,
  router: AnyTRPCRouter = routerOf(service.platform.settings),
): Hono<HttpEnv> {
  const { logger, settings } = service.platform;
  const app = new Hono<HttpEnv>({ router: new WordsFirstRouter() });

  if (settings.role !== "worker") {
    const authenticate = createAuthenticate(service);
    const compiled = compileProcedures(router);
    const procedures = service.tracing ? tracedRouter(compiled, service.tracing) : compiled;
    mountAuth(app, service);
    mountWebhooks(app, service);
    mountRest(app, service, authenticate, procedures);
    mountTrpc(app, service, authenticate, procedures);
    mountPages(app, service);
  }
  mountHealth(app, service);
  mountMetrics(app, service);
  mountErrors(app, service.platform);

  const cors = trustedCors(settings.trustedOrigins);
  const { edge } = service.metrics;
  const bodies = new BodyBudget(settings.httpLimits.bodyMemoryBytes, () => edge.refused("bodies"));
  edge.bodies(() => bodies.used);
  edge.gauge("purser_event_streams", () => service.platform.eventStreams.size);
  app.fetch = requestMiddleware(app, {
    ...service,
    logger,
    cors,
    bodies,
    headers: transportHeaders(settings),
  });
  return app;
}

/** Returns the same router with a span around every call, whatever the transport. */
function tracedRouter(router: AnyTRPCRouter, tracing: Tracing): AnyTRPCRouter {
  return wrapProcedures(router, (name, call) => (options) => tracing.procedure(name, () => call(options)));
}

function mountErrors(app: Hono<HttpEnv>, { logger, settings }: AppService["platform"]): void {
  const hasPages = settings.role !== "worker";
  const orMethodNotAllowed = methodNotAllowed({
    app,
    onMethodNotAllowed: (c: Parameters<typeof respondWithProblem>[0], methods: string[]) =>
      respondWithProblem(c, new Problem("METHOD_NOT_ALLOWED"), { Allow: methods.join(", ") }),
  });
  const respondNotFound = (c: HttpContext) =>
    hasPages && wantsPage(c) ? respondWithNotFoundPage(c) : respondWithProblem(c, new Problem("NOT_FOUND"));
  app.notFound(async (c) => {
    await orMethodNotAllowed(c, async () => {
      c.res = await respondNotFound(c);
    });
    return c.res;
  });
  app.onError((error, c) => {
    const problem = reportedProblem(error, c.env.requestContext.requestId, logger);
    if (problem.code === "NOT_FOUND") return respondNotFound(c);
    return hasPages && wantsPage(c) ? respondWithProblemPage(c, problem) : respondWithProblem(c, problem);
  });
}
