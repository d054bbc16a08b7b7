import type { Hono } from "hono";
import { readBytes } from "../http/body.ts";
import { clientAddress } from "../http/client-address.ts";
import type { HttpContext, HttpEnv } from "../http/context.ts";
import { apiHeaders } from "../http/headers.ts";
import { createRateLimitCheck } from "../http/rate-limit.ts";
import type { AppService } from "../service.ts";

/** Passes `/api/auth` to the identity area, with a size limit for bodies, a rate limit and the client's address. */
export function mountAuth(app: Hono<HttpEnv>, service: AppService): void {
  const { auth, platform } = service;
  const checkRateLimit = createRateLimitCheck(service);
  const addressOf = clientAddress(platform.settings.trustedProxies);
  app.all("/api/auth/*", async (c) => {
    const request = await bounded(c);
    await checkRateLimit(c);
    const response = await auth.handle(request, {
      address: addressOf(c),
      requestId: c.env.requestContext.requestId,
    });
    for (const [name, value] of Object.entries(apiHeaders)) response.headers.set(name, value);
    return response;
  });
}

/** Returns the same request with its body fully read, unless its method has none. */
async function bounded(c: HttpContext): Promise<Request> {
  const { raw, method, url } = c.req;
  // The constructor of Request throws for TRACE. No endpoint has this method, so it gets 404 or 405.
  if (method === "GET" || method === "HEAD" || method === "TRACE") return raw;
  const bytes = await readBytes(c, "requests");
  return new Request(url, { method, headers: raw.headers, ...(bytes.length > 0 && { body: bytes }) });
}
