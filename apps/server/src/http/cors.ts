import { cors } from "hono/cors";
import { createMiddleware } from "hono/factory";
import type { Door } from "./door.ts";

/**
 * Lets the front ends on the trusted origins, and nobody else's, call from a browser. Another origin is answered
 * as if CORS did not exist, which is what makes a browser keep the answer to itself.
 */
export function trustedCors(trustedOrigins: readonly string[]) {
  const trusted = new Set(trustedOrigins);
  const answerTrusted = cors({
    origin: [...trusted],
    credentials: true,
    allowMethods: ["GET", "HEAD", "POST", "PATCH", "DELETE"],
    allowHeaders: ["Authorization", "Content-Type", "Idempotency-Key", "X-Api-Key", "X-Request-Id"],
    exposeHeaders: ["Idempotency-Replayed", "Link", "Retry-After", "Set-Auth-Token", "X-Request-Id"],
    maxAge: 600,
  });
  return createMiddleware<Door>(async (c, next) => {
    const origin = c.req.header("origin");
    if (origin === undefined || !trusted.has(origin)) return next();
    // An OPTIONS request that is no preflight is an undocumented method like any other.
    if (c.req.method === "OPTIONS" && c.req.header("access-control-request-method") === undefined)
      return next();
    return answerTrusted(c, next);
  });
}
