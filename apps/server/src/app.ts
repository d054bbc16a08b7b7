import { Problem } from "@purser/core";
import { routerOf } from "@purser/router";
import type { AnyTRPCRouter } from "@trpc/server";
import { Hono } from "hono";
import { methodNotAllowed } from "hono/method-not-allowed";
import { authDoor } from "./transports/auth.ts";
import { restDoor } from "./transports/rest.ts";
import { trpcDoor } from "./transports/trpc.ts";
import { webhookDoor } from "./transports/webhooks.ts";
import { admission } from "./http/authentication.ts";
import { answerProblem } from "./http/response.ts";
import { trustedCors } from "./http/cors.ts";
import type { Door } from "./http/context.ts";
import { envelope } from "./http/middleware.ts";
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
): Hono<Door> {
  const { logger, settings } = service.platform;
  const app = new Hono<Door>();

  if (settings.role !== "worker") {
    const admit = admission(service);
    const procedures = service.tracing ? tracedRouter(router, service.tracing) : router;
    authDoor(app, service);
    webhookDoor(app, service);
    restDoor(app, service, admit, procedures);
    trpcDoor(app, service, admit, procedures);
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
  app.onError((error, c) => answerProblem(c, reportedProblem(error, c.env.exchange.requestId, logger)));
  const cors = trustedCors(settings.trustedOrigins);
  app.fetch = envelope(app, { ...service, logger, cors, headers: transportHeaders(settings) });
  return app;

  function refuseMethod(c: Parameters<typeof answerProblem>[0], methods: string[]): Response {
    return answerProblem(c, new Problem("METHOD_NOT_ALLOWED"), { Allow: methods.join(", ") });
  }
}
