import { Problem } from "@purser/core";
import { routerOf } from "@purser/router";
import type { AnyTRPCRouter } from "@trpc/server";
import { Hono } from "hono";
import { methodNotAllowed } from "hono/method-not-allowed";
import { mountAuth } from "./transports/auth.ts";
import { mountRest } from "./transports/rest.ts";
import { mountTrpc } from "./transports/trpc.ts";
import { mountWebhooks } from "./transports/webhooks.ts";
import { createAuthenticate } from "./http/authentication.ts";
import { answerProblem } from "./http/response.ts";
import { trustedCors } from "./http/cors.ts";
import type { HttpEnv } from "./http/context.ts";
import { requestMiddleware } from "./http/middleware.ts";
import { transportHeaders } from "./http/headers.ts";
import { reportedProblem } from "./http/problems.ts";
import { healthRoutes } from "./operations/health.ts";
import { metricsRoute } from "./metrics-route.ts";
import { pages } from "./pages/index.ts";
import type { Service } from "./service.ts";
import { tracedRouter } from "./tracing/router.ts";

/**
 * Every address there is. Requests pass from top to bottom; what nothing below answers is a JSON 404 or 405. A process
 * that only runs jobs answers for its health and metrics alone.
 */
export function createApp(
  service: Service,
  router: AnyTRPCRouter = routerOf(service.platform.settings),
): Hono<HttpEnv> {
  const { logger, settings } = service.platform;
  const app = new Hono<HttpEnv>();

  if (settings.role !== "worker") {
    const authenticate = createAuthenticate(service);
    const procedures = service.tracing ? tracedRouter(router, service.tracing) : router;
    mountAuth(app, service);
    mountWebhooks(app, service);
    mountRest(app, service, authenticate, procedures);
    mountTrpc(app, service, authenticate, procedures);
    pages(app, service);
  }
  healthRoutes(app, service);
  metricsRoute(app, service);

  const orMethodNotAllowed = methodNotAllowed({ app, onMethodNotAllowed: refuseMethod });
  app.notFound(async (c) => {
    await orMethodNotAllowed(c, async () => {
      c.res = answerProblem(c, new Problem("NOT_FOUND"));
    });
    return c.res;
  });
  app.onError((error, c) => answerProblem(c, reportedProblem(error, c.env.requestContext.requestId, logger)));
  const cors = trustedCors(settings.trustedOrigins);
  app.fetch = requestMiddleware(app, { ...service, logger, cors, headers: transportHeaders(settings) });
  return app;

  function refuseMethod(c: Parameters<typeof answerProblem>[0], methods: string[]): Response {
    return answerProblem(c, new Problem("METHOD_NOT_ALLOWED"), { Allow: methods.join(", ") });
  }
}
