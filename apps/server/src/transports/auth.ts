import type { Hono } from "hono";
import { readBytes } from "../http/body.ts";
import { clientAddress } from "../http/client-address.ts";
import type { HttpEnv } from "../http/context.ts";
import { apiHeaders } from "../http/headers.ts";
import { createRateLimitCheck } from "../http/rate-limit.ts";
import type { AppService } from "../service.ts";

/** Passes `/api/auth` to the identity area, with a size limit for bodies, a rate limit and the client's address. */
export function mountAuth(app: Hono<HttpEnv>, service: AppService): void {
  const { auth, platform } = service;
  const checkRateLimit = createRateLimitCheck(service);
  const addressOf = clientAddress(platform.settings.trustedProxies);
  app.all("/api/auth/*", async (c) => {
    const { requestContext } = c.env;
    const response = await auth.handle(c.req.raw, {
      address: addressOf(c),
      requestId: requestContext.requestId,
      readBody: () => readBytes(c, "requests"),
      countRequest: () => checkRateLimit(c),
      onRoute: (path) => void (requestContext.route = path),
      onUser: (userId) => void (requestContext.caller = { userId }),
    });
    for (const [name, value] of Object.entries(apiHeaders)) response.headers.set(name, value);
    return response;
  });
}
